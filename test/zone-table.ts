import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readClockRule } from '../src/catalogue/time/clock-rule.ts';
import { isoInstant, isoOffset, second } from '../src/catalogue/time/time.ts';
import { type Clocks, tableStart } from '../src/catalogue/time/zone-table.ts';

/*
 * Writes `src/catalogue/time/zone-table.json` from the compiled zone files of this system, which
 * must have all links (on Debian 13 and Ubuntu: the package tzdata-legacy): `npm run zones`.
 */
const folder = '/usr/share/zoneinfo';
const path = join(process.cwd(), 'src/catalogue/time/zone-table.json');

interface Table {
  readonly version: string;
  readonly clocks: readonly Clocks[];
}

const current = JSON.parse(readFileSync(path, 'utf8')) as Table;
const [, version = ''] =
  /^# version (\S+)/.exec(readFileSync(join(folder, 'tzdata.zi'), 'utf8')) ?? [];
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

if (version < current.version) {
  say(`the system has ${version}, which is older than the table, ${current.version}`);
  process.exitCode = 1;
} else {
  const table = { version, clocks: readSystem() };
  const names = new Set(table.clocks.flatMap(({ zones }) => zones));
  const missing = current.clocks.flatMap(({ zones }) => zones).filter((zone) => !names.has(zone));
  if (missing.length > 0) throw new Error(`the system has no ${missing.join(', ')}`);
  const lines = table.clocks.map((clocks) => `  ${JSON.stringify(clocks)}`);
  const text = `{\n"version": "${version}",\n"clocks": [\n${lines.join(',\n')}\n]\n}\n`;
  writeFileSync(path, text);
  say(`wrote ${version}: ${names.size} zones, ${Buffer.byteLength(text)} bytes`);
}

/** Returns the clocks of all zones, grouped and in order. */
function readSystem(): Clocks[] {
  const groups = new Map<string, string[]>();
  for (const zone of zoneFiles()) {
    const clocks = JSON.stringify(readZoneFile(readFileSync(join(folder, zone))));
    groups.set(clocks, [...(groups.get(clocks) ?? []), zone]);
  }
  return Array.from(groups, ([clocks, zones]) => ({ ...(JSON.parse(clocks) as Clocks), zones }));
}

/** Returns the names of all zones and links. The other files of the folder are no zones. */
function zoneFiles(): string[] {
  const base = realpathSync(folder);
  const isOther = /^(?:posix|right)\/|^(?:Factory|localtime|posixrules)$/;
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .filter((name) => !isOther.test(name) && isZoneFile(join(base, name)))
    .toSorted();
}

function isZoneFile(file: string): boolean {
  try {
    return readFileSync(file).subarray(0, 4).toString('latin1') === 'TZif';
  } catch {
    return false;
  }
}

/** Reads a compiled zone file (RFC 9636): the rule at its end, and the changes that differ from it. */
function readZoneFile(file: Buffer): Omit<Clocks, 'zones'> {
  const rule = file.toString('latin1').split('\n').at(-2) ?? '';
  const offsetByRule = readClockRule(rule);
  const transitions = readTransitions(file);
  const offsetAtStart = transitions.findLast(({ instant }) => instant <= tableStart)?.offset;
  const steps = transitions.filter(({ instant }) => instant > tableStart);
  const start = { instant: tableStart, offset: offsetAtStart ?? offsetByRule(tableStart) };
  const all = [start, ...steps].filter(
    ({ offset }, index, list) => index === 0 || list[index - 1]?.offset !== offset,
  );
  // After the last change clocks follow the rule. It holds from the first after which none differs.
  const isOfRule = all.map(({ instant, offset }, index) => {
    const next = all[index + 1];
    return next === undefined || isSteady(offsetByRule, instant, next.instant, offset);
  });
  const ruleStart = isOfRule.lastIndexOf(false) + 1;
  if (ruleStart === 0) return { rule };
  const changes = all
    .slice(0, ruleStart + 1)
    .map(({ instant, offset }) => `${minuteOf(instant)} ${isoOffset(offset)}`);
  return { changes, rule };
}

/** Returns whether a rule has this offset from one instant until another, looking at each day. */
function isSteady(
  offsetByRule: (instant: number) => number,
  from: number,
  until: number,
  offset: number,
): boolean {
  const step = 86_400_000;
  for (let instant = from; instant < until; instant += step)
    if (offsetByRule(instant) !== offset) return false;
  return offsetByRule(until - second) === offset;
}

function minuteOf(instant: number): string {
  const text = isoInstant(instant);
  if (!text.endsWith(':00.000Z')) throw new Error(`clocks change at ${text}`);
  return text.replace(':00.000Z', 'Z');
}

/** Reads the second block of a file, which has times of 64 bits. */
function readTransitions(file: Buffer): { instant: number; offset: number }[] {
  const headerSize = 44;
  const countsAt = (start: number): number[] =>
    [20, 24, 28, 32, 36, 40].map((position) => file.readUInt32BE(start + position));
  const [utCount = 0, wallCount = 0, leapCount = 0, timeCount = 0, typeCount = 0, nameCount = 0] =
    countsAt(0);
  const firstBlock =
    timeCount * 5 + typeCount * 6 + nameCount + leapCount * 8 + wallCount + utCount;
  const header = headerSize + firstBlock;
  const times = countsAt(header)[3] ?? 0;
  const firstTime = header + headerSize;
  const firstIndex = firstTime + times * 8;
  const firstType = firstIndex + times;
  return Array.from({ length: times }, (_, index) => {
    const type = file.readUInt8(firstIndex + index);
    return {
      instant: Number(file.readBigInt64BE(firstTime + index * 8)) * second,
      offset: file.readInt32BE(firstType + type * 6) * second,
    };
  });
}
