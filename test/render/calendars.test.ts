import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { join } from 'node:path';
import { convertIcsCalendar } from 'ts-ics';
import { expect, test } from 'vitest';
import { readTree, tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const now = '2026-11-20T00:00:00Z';
const many = Array.from({ length: 230 }, (_, index) => ({
  title: `Game ${index}`,
  starts: `2027-01-01T00:00:${String(index % 60).padStart(2, '0')}Z`,
}));
const data = {
  'service.json': { name: 'Dates', license: 'Free, no key.', base_url: 'https://example.org' },
  'tv/category.json': { name: 'Television' },
  'tv/drama/genre.json': { name: 'Drama' },
  'tv/drama/severance.json': {
    name: 'Severance',
    events: [
      { title: 'Premiere', starts: '2027-01-15T21:00', zone: 'America/New_York' },
      { title: 'Finale', starts: '2027-03-19' },
      { title: 'Reading', starts: '2027-02-01', cancelled: true },
      { title: 'Old reading', starts: '2026-02-01', cancelled: true },
      { title: 'Promised reading', starts: '2027-05', cancelled: true },
    ],
  },
  'tv/comedy/genre.json': { name: 'Comedy' },
  'sports/category.json': { name: 'Sports' },
  'sports/chess/genre.json': { name: 'Chess' },
  'sports/chess/league.json': { name: 'League', events: many },
};

test('a calendar has the events of its scope in their order, and the cancelled ones that are not past', async () => {
  const site = await build();
  for (const [path, calendar] of site) {
    if (!path.endsWith('/events.ics') || path.includes('/month/')) continue;
    const [, scope = ''] = /^api\/v1\/(?:(?:category|genre)\/(.*)\/)?events\.ics$/.exec(path) ?? [];
    const lines = String(site.get('api/v1/events.ndjson')).matchAll(/^\{"id":"(.*?)".*"state":"upcoming"\}$/gm);
    const ids = Array.from(lines, ([, id = '']) => id).filter((id) => (id.split('/')[0] ?? '').endsWith(scope));
    const events = eventsOf(calendar);
    const standing = events.filter((event) => event.getFirstPropertyValue('status') !== 'CANCELLED');
    const uids = standing.map((event) => String(event.getFirstPropertyValue('uid')));
    expect(uids.toSorted()).toEqual(ids.map((id) => `${id}@example.org`).toSorted());
    const starts = events.map((event) => String(event.getFirstPropertyValue('dtstart')));
    expect(starts).toEqual(starts.toSorted());
    const cancelled = events.filter((event) => event.getFirstPropertyValue('status') === 'CANCELLED');
    expect(cancelled.map((event) => event.getFirstPropertyValue('uid'))).toEqual(
      /chess|sports|comedy/.test(path) ? [] : ['drama-tv/severance/reading@example.org'],
    );
  }
  expect(eventsOf(site.get('api/v1/events.ics')).length).toBe(many.length + 3);
});

test('three parsers read the same dates, places and texts from a calendar', async () => {
  const fairs = {
    ...data,
    'tv/drama/fairs.json': {
      name: 'Fair',
      location: { name: 'Hall 4; north', latitude: 48.2, longitude: 16.5 },
      events: [
        { title: 'Four days', starts: '2027-10-08', ends: '2027-10-11' },
        { title: 'Evening, with talk', starts: '2027-10-08T19:30', ends: '22:30', zone: 'Europe/Vienna' },
        { title: 'Under way', starts: '2026-11-18', ends: '2026-11-21' },
      ],
    },
  };
  const site = await build(now, fairs);
  const text = site.get('api/v1/genre/drama-tv/events.ics')?.toString() ?? '';
  const byIcal = eventsOf(Buffer.from(text)).map((component) => {
    const { uid, summary, location, startDate, endDate } = new ICAL.Event(component);
    const [start, end] = [startDate, endDate].map((time) => written(time.toJSDate(), time.isDate));
    return [uid, summary, location ?? '', start, end];
  });
  const byNodeIcal = Object.values(nodeIcal.parseICS(text)).flatMap((event) => {
    if (event?.type !== 'VEVENT') return [];
    const isDate = event.datetype === 'date';
    return [
      [
        event.uid,
        event.summary,
        event.location ?? '',
        ...[event.start, event.end ?? event.start].map((time) => written(time, isDate)),
      ],
    ];
  });
  const byTsIcs = (convertIcsCalendar(undefined, text).events ?? []).map(
    ({ uid, summary, location = '', start, end }) => {
      // ts-ics gives dates in UTC, and no end where the calendar has none: for a date, RFC 5545 means the next day.
      const isDate = start.type === 'DATE';
      const implied = { date: new Date(+start.date + (isDate ? 86_400_000 : 0)) };
      const texts = [start, end ?? implied].map(({ date }) => date.toISOString().slice(0, isDate ? 10 : undefined));
      return [uid, summary, location, ...texts];
    },
  );
  expect(byIcal).toContainEqual([
    'drama-tv/fairs/four-days@example.org',
    'Fair: Four days',
    'Hall 4; north',
    '2027-10-08',
    '2027-10-12',
  ]);
  expect(byIcal.map(([uid]) => uid)).toContain('drama-tv/fairs/under-way@example.org');
  expect(byNodeIcal).toEqual(byIcal);
  expect(byTsIcs).toEqual(byIcal);
});

/** Writes a date, which these parsers give as midnight in the zone of the machine, or an instant. */
function written(time: Date, isDate: boolean): string {
  if (!isDate) return time.toISOString();
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

async function build(at = now, tree: Tree = data, cwd = tempFolder()): Promise<Map<string, Buffer>> {
  writeTree(join(cwd, 'data'), tree);
  const run = await runAlmanac(['build', '--quiet', '--now', at], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return readTree(join(cwd, 'dist'));
}

function calendarIn(content: Buffer | undefined): ICAL.Component {
  return new ICAL.Component(ICAL.parse(content?.toString() ?? '') as unknown[]);
}

function eventsOf(content: Buffer | undefined): ICAL.Component[] {
  return calendarIn(content).getAllSubcomponents('vevent');
}
