import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyGenre } from '../setup/build-site.ts';
import { engine } from '../setup/engines.ts';
import { lastingFolder, readTree, writeTree } from '../setup/folders.ts';
import { almanac } from '../setup/run-almanac.ts';
import { type Step, tableSteps, zdumpSteps } from '../setup/zoneinfo.ts';

const install = 'npm ci --prefix test/nodes --ignore-scripts';
const nodes = [22, 24, 26].flatMap((version) => {
  const path = join(import.meta.dirname, `../nodes/node_modules/node-${version}/bin/node`);
  return engine(`Node.js ${version}`, () => (existsSync(path) ? path : null), install) ?? [];
});

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const [from, until] = [2026, 2030];
/** What zdump says, which is right. The table says the same, and is asked without zdump. */
const steps = zdumpSteps(from, until) ?? tableSteps(from, until);

/** Returns the clock time at an instant, and the offset, as a source writes them. */
function writtenAt(instant: number, offset: number): { wall: string; numeric: string } {
  const wall = new Date(instant + offset).toISOString().slice(0, 19);
  const size = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return { wall, numeric: `${offset < 0 ? '-' : '+'}${size}` };
}

/** The title of each event is its instant and its clock time, which the site must have. */
function eventsOf(changes: readonly Step[]): object[] {
  const offsetAt = (instant: number): number =>
    changes.findLast((change) => change.instant <= instant)?.offset ?? NaN;
  const write = (instant: number, hasOffset: boolean): object => {
    const { wall, numeric } = writtenAt(instant, offsetAt(instant));
    const title = `${new Date(instant).toISOString()} ${wall}`;
    return { title, starts: hasOffset ? `${wall}${numeric}` : wall };
  };
  const near = [-hour, -second, 0, hour, hour + minute];
  const instants = changes.map(({ instant }) => instant).filter(Number.isFinite);
  return [
    ...instants.flatMap((change) => near.map((distance) => write(change + distance, true))),
    // Far from a change a clock time needs no offset.
    ...instants.flatMap((change) =>
      [-day, 2 * day].map((distance) => write(change + distance, false)),
    ),
    ...[2, 6].map((month) => write(Date.UTC(2028, month, 20, 12), false)),
  ];
}

const genre = 'data/time/zones';
const data = writeTree(lastingFolder(), {
  ...emptyGenre(genre, { pages: 'home' }),
  ...Object.fromEntries(
    Array.from(steps, ([zone, changes], index) => [
      `${genre}/zone-${index}.json`,
      { name: zone, zone, events: eventsOf(changes) },
    ]),
  ),
});

function buildWith(node: string): Map<string, Buffer> {
  const out = join(lastingFolder(), 'dist');
  const args = [
    'build',
    '--out',
    out,
    '--now',
    '2026-01-01T12:00:00Z',
    '--no-flush',
    '--json',
    '--base-url',
    'https://example.org',
  ];
  const { stdout, stderr } = spawnSync(node, [almanac, ...args], { cwd: data, encoding: 'utf8' });
  expect(JSON.parse(stdout), stderr).toMatchObject({ ok: true });
  return readTree(out);
}

const site = buildWith(process.execPath);

test('every zone has the right clock times near its changes', () => {
  const lines = site.get('api/v1/events.ndjson')?.toString().trim().split('\n') ?? [];
  const wrong = lines.filter((line) => {
    const {
      title,
      starts_at: instant,
      starts_local: local,
    } = JSON.parse(line) as {
      title: string;
      starts_at: string;
      starts_local: string;
    };
    return title !== `${instant} ${local}`;
  });
  expect(wrong).toEqual([]);
  expect(lines.length).toBeGreaterThan(5000);
});

test.each(nodes)('%s builds the same bytes', (node) => {
  const other = buildWith(node);
  expect([...other.keys()]).toEqual([...site.keys()]);
  const different = [...site].filter(([path, bytes]) => other.get(path)?.equals(bytes) !== true);
  expect(different.map(([path]) => path)).toEqual([]);
});
