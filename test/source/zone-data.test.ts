import { expect, test } from 'vitest';
import { emptyGenre } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

test('refuses zone-data-old: zones of the data whose clocks differ in newer zone data than that of Node.js', async () => {
  const events = ['America/Vancouver', 'Europe/Berlin'].map((zone) => ({
    title: zone,
    starts: '2027-01-15',
    zone,
  }));
  const cwd = writeTree(tempFolder(), {
    ...emptyGenre('data/tv/drama'),
    'data/tv/drama/show.json': { name: 'Show', events },
  });
  const { code, stdout } = await runAlmanac(['check', '--json', '--now', '2026-11-20T12:00:00Z'], {
    cwd,
  });
  const { problems } = JSON.parse(stdout) as { problems: { code: string; message: string }[] };
  const { tz: runtime = '' } = process.versions;
  // British Columbia stopped to change its clocks in 2026.
  if (runtime >= '2026c') expect({ code, problems }).toEqual({ code: 0, problems: [] });
  else {
    expect(code).toBe(1);
    expect(problems.map((one) => [one.code, one.message])).toEqual([
      [
        'zone-data-old',
        `found the time zone data ${runtime} of this Node.js, in which clocks in America/Vancouver differ from 2026c; expected 2026c or newer; use Node 24 or later`,
      ],
    ]);
  }
});
