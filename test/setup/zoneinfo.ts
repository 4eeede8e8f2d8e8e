import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tableOffsetsOf, zoneTableVersion } from '../../src/catalogue/time/zone-table.ts';
import { zoneNames } from '../../src/catalogue/time/zone.ts';
import { engine, onPath } from './engines.ts';

/** From an instant on, in milliseconds since the Unix epoch, clocks are this far ahead of UTC. */
export interface Step {
  readonly instant: number;
  readonly offset: number;
}

/** Zones in the words of a program: the first step begins before all times. */
export type Steps = ReadonlyMap<string, readonly Step[]>;

const versionFile = '/usr/share/zoneinfo/tzdata.zi';

/**
 * Returns what `zdump` says about the clocks of every zone from the start of one year until the
 * start of another. Returns null, with a line that says why, if the system has another version of
 * the database than almanac.
 */
export function zdumpSteps(from: number, until: number): Steps | null {
  const zdump = engine('zdump', () => onPath('zdump'), 'apt-get install libc-bin');
  const [, version] = existsSync(versionFile)
    ? (/^# version (\S+)/.exec(readFileSync(versionFile, 'utf8')) ?? [])
    : [];
  if (zdump === null) return null;
  if (version !== zoneTableVersion) {
    const line = `the system's time zone database is ${version}, and the table is ${zoneTableVersion}, so zdump is not asked`;
    process.stderr.write(`${line}\n`);
    return null;
  }
  const args = ['-i', '-c', `${from},${until}`, ...zoneNames];
  const text = execFileSync(zdump, args, { encoding: 'utf8', maxBuffer: 100_000_000 });
  const blocks = text.trim().split(/\n\n(?=TZ=)/);
  return new Map(
    blocks.map((block) => {
      const [head = '', ...lines] = block.trim().split('\n');
      const steps = lines.map(readStep);
      // Some changes only give the clocks another name.
      const changes = steps.filter(({ offset }, index) => offset !== steps[index - 1]?.offset);
      return [head.slice('TZ="'.length, -1), changes];
    }),
  );
}

/** Reads `2026-03-08 01 -04 CDT 1`, with the local time after the change; `- - -05 CST` at first. */
function readStep(line: string): Step {
  const [date = '', time = '', offsetText = ''] = line.split('\t');
  const sign = offsetText.startsWith('-') ? -1 : 1;
  const [hours = 0, minutes = 0] = (offsetText.slice(1).match(/\d\d/g) ?? []).map(Number);
  const offset = sign * (hours * 60 + minutes) * 60_000;
  if (date === '-') return { instant: -Infinity, offset };
  const [hour = '00', minute = '00', second = '00'] = time.split(':');
  return { instant: Date.parse(`${date}T${hour}:${minute}:${second}Z`) - offset, offset };
}

/** Returns the same as {@link zdumpSteps} according to the table of almanac. */
export function tableSteps(from: number, until: number): Steps {
  return new Map(
    Array.from(zoneNames, (zone) => [zone, stepsOf(zone, Date.UTC(from, 0), Date.UTC(until, 0))]),
  );
}

function stepsOf(zone: string, from: number, until: number): Step[] {
  const offsetAt = tableOffsetsOf(zone);
  const steps = [{ instant: -Infinity, offset: offsetAt(from) }];
  const day = 86_400_000;
  for (let instant = from; instant < until; instant += day) {
    let [before, after] = [instant, Math.min(instant + day, until - 1)];
    const offset = offsetAt(after);
    if (offset === offsetAt(before)) continue;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offsetAt(middle) === offset) after = middle;
      else before = middle;
    }
    steps.push({ instant: after, offset });
  }
  return steps;
}
