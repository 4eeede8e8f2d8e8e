import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertIcsCalendar } from 'ts-ics';
import { expect, test } from 'vitest';
import { buildSite } from '../setup/build-site.ts';
import { readSections } from '../setup/sections.ts';

test('a calendar has more events than a list, and the cancelled ones that are not over', async () => {
  const games = Array.from({ length: 230 }, (_, index) => [`Game ${index}`, '2027-01-01T00:00Z']);
  const site = await buildSite(
    {
      'sports/chess/league': Object.fromEntries(games) as Record<string, string>,
      'tv/drama/severance': {
        Reading: { starts: '2027-02-01', cancelled: true },
        'Old reading': { starts: '2026-02-01', cancelled: true },
        'Promised reading': { starts: '2027-05', cancelled: true },
      },
    },
    '2026-11-20T00:00:00Z',
  );
  const text = readFileSync(join(site, 'api/v1/events.ics'), 'utf8');
  expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(231);
  expect(text.match(/^STATUS:CANCELLED/gm)).toHaveLength(1);
});

const calendars = ['every-format', 'facts', 'former-ids'].flatMap((name) =>
  [...readSections(join(import.meta.dirname, `../fixtures/valid/${name}/expected.txt`))].flatMap(
    ([path, text]) => (path.endsWith('.ics') ? [[`${name}/${path}`, text] as const] : []),
  ),
);

test.each(calendars)('three parsers read the same dates, places and texts from %s', (_, text) => {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  const byIcal = calendar.getAllSubcomponents('vevent').map((component) => {
    const { uid, summary, location, startDate, endDate } = new ICAL.Event(component);
    const [start, end] = [startDate, endDate].map((time) => written(time.toJSDate(), time.isDate));
    return [uid, summary, location ?? '', start, end];
  });
  const byNodeIcal = Object.values(nodeIcal.parseICS(text)).flatMap((event) => {
    if (event?.type !== 'VEVENT') return [];
    const times = [event.start, event.end ?? event.start].map((time) =>
      written(time, event.datetype === 'date'),
    );
    return [[event.uid, event.summary, event.location ?? '', ...times]];
  });
  const byTsIcs = (convertIcsCalendar(undefined, text).events ?? []).map(
    ({ uid, summary, location = '', start, end }) => {
      // ts-ics gives dates in UTC, and no end where the calendar has none: for a date, RFC 5545
      // means the next day.
      const isDate = start.type === 'DATE';
      const implied = { date: new Date(+start.date + (isDate ? 86_400_000 : 0)) };
      const texts = [start, end ?? implied].map(({ date }) =>
        date.toISOString().slice(0, isDate ? 10 : undefined),
      );
      return [uid, summary, location, ...texts];
    },
  );
  expect(byNodeIcal).toEqual(byIcal);
  expect(byTsIcs).toEqual(byIcal);
});

/**
 * Writes a date, which these parsers give as midnight in the zone of the machine, or an instant.
 */
function written(time: Date, isDate: boolean): string {
  if (!isDate) return time.toISOString();
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
