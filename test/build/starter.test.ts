import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { tableSteps } from '../setup/zoneinfo.ts';

/*
 * The requirements for data/, whatever it contains. Besides this file only test/docs/ depends on
 * data/, because the examples of the documentation ask for the starter catalogue.
 */
const root = join(import.meta.dirname, '../..');
// Which warnings there are depends on the day.
const day = ['--now', '2026-11-27T00:00:00Z'];

test('the data has no problems', async () => {
  const run = await runAlmanac(['check', ...day], { cwd: root });
  expect(run).toMatchObject({ code: 0, stdout: 'data: no problems\n', stderr: '' });
});

test('the data builds into a whole site of valid documents', async () => {
  const cwd = tempFolder();
  // Tests do not use the network, so remote sources are left out.
  const isLocal = (path: string): boolean => !path.endsWith('.source.json');
  cpSync(join(root, 'data'), join(cwd, 'data'), { recursive: true, filter: isLocal });
  const run = await runAlmanac(['build', '--json', '--base-url', 'https://example.org', ...day], {
    cwd,
  });
  expect(run.code, run.stdout).toBe(0);
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
});

test('the clock changes are those of the time zone database', () => {
  const folder = join(root, 'data/civics/clock-changes');
  const names = readdirSync(folder).filter((name) => name !== 'genre.json');
  const steps = tableSteps(2027, 2028);
  for (const name of names) {
    const { events } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      events: { title: string; starts: string; zone: string }[];
    };
    const zone = events[0]?.zone ?? '';
    const [start, ...changes] = steps.get(zone) ?? [];
    let previous = start?.offset ?? NaN;
    const expected = changes.map(({ instant, offset }) => {
      const minutes = Math.abs(offset - previous) / 60_000;
      const isForward = offset > previous;
      previous = offset;
      const length =
        minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
      // Clocks that go back show each time twice, so the instant is in UTC.
      const starts = isForward
        ? new Date(instant + offset).toISOString().slice(0, 16)
        : new Date(instant).toISOString().replace(/:00\.000Z$/, 'Z');
      return { title: `Clocks go ${isForward ? 'forward' : 'back'} ${length}`, starts, zone };
    });
    expect({ name, events }).toEqual({ name, events: expected });
  }
  expect(names.length).toBeGreaterThan(15);
});
