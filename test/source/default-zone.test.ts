import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventsDocument } from '../../src/api/documents.ts';
import { emptyGenre } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

test('events without a zone are in the zone of service.json, also if they have an offset', async () => {
  const cwd = writeTree(tempFolder(), {
    ...emptyGenre('data/tv/drama', { zone: 'Europe/Berlin' }),
    'data/tv/drama/show.json': {
      name: 'Show',
      events: [
        { title: 'a default', starts: '2027-01-01T20:00' },
        { title: 'b own', starts: '2027-01-02T20:00', zone: 'Asia/Tokyo' },
        { title: 'c none', starts: '2027-01-03', zone: null },
        { title: 'd date', starts: '2027-01-04' },
        { title: 'e instant', starts: '2027-01-05T20:00Z' },
        { title: 'f offset', starts: '2027-01-06T20:00-05:00', ends: '22:00' },
      ],
    },
    'data/tv/drama/table.csv': 'subject,title,starts,zone\nTable,g default,2027-01-07T20:00,\n',
    'data/tv/drama/calendar.ics':
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:h\nSUMMARY:h default\nDTSTART:20270108T200000\nEND:VEVENT\nEND:VCALENDAR\n',
  });
  const run = await runAlmanac(['build', '--now', '2026-11-20T12:00:00Z', '--quiet'], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const { events } = JSON.parse(readFileSync(join(cwd, 'dist/api/v1/events.json'), 'utf8')) as EventsDocument;
  expect(events.map(({ title, zone, starts_at, date, ends_at }) => [title, zone, starts_at, date, ends_at])).toEqual([
    ['a default', 'Europe/Berlin', '2027-01-01T19:00:00.000Z', '2027-01-01', null],
    ['b own', 'Asia/Tokyo', '2027-01-02T11:00:00.000Z', '2027-01-02', null],
    ['c none', null, '2027-01-03T00:00:00.000Z', '2027-01-03', null],
    ['d date', 'Europe/Berlin', '2027-01-04T00:00:00.000Z', '2027-01-04', null],
    ['e instant', 'Europe/Berlin', '2027-01-05T20:00:00.000Z', '2027-01-05', null],
    ['f offset', 'Europe/Berlin', '2027-01-07T01:00:00.000Z', '2027-01-07', '2027-01-07T03:00:00.000Z'],
    ['g default', 'Europe/Berlin', '2027-01-07T19:00:00.000Z', '2027-01-07', null],
    ['h default', 'Europe/Berlin', '2027-01-08T19:00:00.000Z', '2027-01-08', null],
  ]);
});

test('refuses zone-data-old: zones of the data whose clocks differ in newer zone data than that of Node.js', async () => {
  const events = ['America/Vancouver', 'Europe/Berlin'].map((zone) => ({ title: zone, starts: '2027-01-15', zone }));
  const cwd = writeTree(tempFolder(), {
    ...emptyGenre('data/tv/drama'),
    'data/tv/drama/show.json': { name: 'Show', events },
  });
  const { code, stdout } = await runAlmanac(['check', '--json', '--now', '2026-11-20T12:00:00Z'], { cwd });
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
