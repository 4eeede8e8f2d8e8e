import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { announcementSchema, eventSchema } from '../../src/api/schemas.ts';
import { genreContent } from '../../src/catalogue/genre-content.ts';
import type { Announcement, Event } from '../../src/catalogue/model.ts';
import { genreRecords, type GenreRecords } from '../../src/render/records.ts';

const id = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8})?$/);
const text = fc.string({ unit: 'binary', minLength: 1 });
const url = fc.webUrl({ validSchemes: ['https'], withQueryParameters: true, withFragments: true });
const instant = fc.integer({ min: Date.UTC(1900), max: Date.UTC(2999) });
const date = instant.map((at) => new Date(at).toISOString().slice(0, 10));
const degrees = fc.option(fc.double({ min: -90, max: 90, noNaN: true }));
const place = { name: text, address: fc.option(text), country: fc.constantFrom(null, 'DE') };
const entry = {
  id: fc.tuple(id, id, id).map((ids) => ids.join('/')),
  title: text,
  subject: fc.record({ id, name: text, aliases: fc.array(text), url: fc.option(url) }),
  genre: fc.record({ id, name: text, category: id }),
  zone: fc.constantFrom(null, 'UTC', 'Europe/Berlin'),
  location: fc.option(fc.record({ ...place, latitude: degrees, longitude: degrees })),
  url: fc.option(url),
  status: fc.constantFrom('confirmed', 'tentative', 'postponed', 'cancelled'),
  extra: fc.option(
    fc.dictionary(fc.constantFrom('price_eur', 'stage'), fc.oneof(text, fc.boolean(), fc.array(fc.integer()))),
  ),
  tags: fc.array(id),
  details: fc.option(
    fc.record({
      description: fc.option(text),
      image: fc.option(fc.record({ url, alt: fc.option(text) })),
      attendance: fc.constantFrom(null, 'in-person', 'online', 'hybrid'),
      organizer: fc.option(fc.record({ name: text, url: fc.option(url) })),
      source: fc.option(url),
    }),
  ),
};
const event: fc.Arbitrary<Event> = fc.record({
  ...entry,
  precision: fc.constantFrom('day', 'hour', 'minute', 'second'),
  date,
  startsAt: instant,
  upcomingUntil: instant,
  offset: fc.integer(),
  end: fc.option(fc.record({ endDate: date, endsAt: instant, overAt: instant })),
});
const announcement: fc.Arbitrary<Announcement> = fc.record({
  ...entry,
  period: fc.constantFrom('2027', '2027-06', '2027-Q2', '2027-H1'),
  window: fc.record({ from: date, until: date }),
  announcedUntil: instant,
});

test('the record of an event follows the schema, in the order of its fields', () => {
  fc.assert(
    fc.property(event, (one) => {
      const [listed] = recordsOf([one], []).upcoming;
      const record = eventSchema.parse(listed?.record);
      expect(Object.keys(listed?.record ?? {})).toEqual(Object.keys(eventSchema.shape));
      expect(listed?.ownUrl).toBe(one.url);
      expect(record.url).toBe(listed?.ownUrl ?? one.subject.url);
      expect(Date.parse(record.starts_at)).toBe(one.startsAt);
      expect(Date.parse(record.upcoming_until)).toBe(one.upcomingUntil);
      expect([record.ends_at, record.over_at].map((at) => at && Date.parse(at))).toEqual([
        one.end && one.end.endsAt,
        one.end && one.end.overAt,
      ]);
      expect(record).toMatchObject({
        title: one.title,
        date: one.date,
        end_date: one.end && one.end.endDate,
        zone: one.zone,
        time_known: one.precision !== 'day',
        location: one.location,
        status: one.status,
        tags: one.tags,
        details: one.details,
        extra: one.extra,
      });
    }),
  );
});

test('the record of an announcement follows its schema, in the order of its fields', () => {
  fc.assert(
    fc.property(announcement, (one) => {
      const [record] = recordsOf([], [one]).announced;
      expect(announcementSchema.parse(record)).toEqual(record);
      expect(Object.keys(record ?? {})).toEqual(Object.keys(announcementSchema.shape));
      expect(record).toMatchObject({ period: one.period, window: one.window, url: one.url ?? one.subject.url });
    }),
  );
});

function recordsOf(upcoming: readonly Event[], announced: readonly Announcement[]): GenreRecords {
  const genre = { id: 'genre', name: 'Genre', category: 'category' };
  const subject = { id: 'subject', name: 'Subject', aliases: [], url: null };
  const none = { under_way: [], cancelled: [], over: [], cancelledAnnouncements: [], floating: 0 };
  const found = [[{ subject, upcoming, announced, ...none }, 'category/genre/subject.json']] as const;
  return genreRecords(genreContent(genre, found, []), null);
}
