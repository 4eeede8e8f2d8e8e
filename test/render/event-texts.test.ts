import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../src/api/documents.ts';
import { eventSchema } from '../../src/api/schemas.ts';
import type { Event } from '../../src/catalogue/model.ts';
import { eventJson } from '../../src/render/event-texts.ts';

const id = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8})?$/);
const special = fc.constantFrom(
  '"',
  '\\',
  '</script>',
  '\u2028',
  '\ud83c\udf89',
  '\ud83c',
  '\udf89',
  '\n',
  '\u001f',
  'é',
);
const text = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), special), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''));
const instant = fc.integer({ min: Date.UTC(1900), max: Date.UTC(3000) });
const url = fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), text);
const degrees = fc.option(fc.double({ min: -90, max: 90, noNaN: true }));
const place = { name: text, address: fc.option(text), country: fc.constantFrom(null, 'DE') };
const end = fc.record({ endDate: fc.constantFrom('2027-03-04', '2999-12-31'), endsAt: instant, overAt: instant });
const event: fc.Arbitrary<Event> = fc.record({
  id: fc.tuple(id, id, id).map((ids) => ids.join('/')),
  title: text,
  subject: fc.record({ id, name: text, aliases: fc.array(text), url: fc.option(url) }),
  genre: fc.record({ id, name: text, category: id }),
  zone: fc.constantFrom(null, 'UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+12'),
  details: fc.record({ url }, { requiredKeys: [] }),
  precision: fc.constantFrom('day', 'hour', 'minute', 'second'),
  date: fc.constantFrom('1900-01-01', '2027-03-04', '2999-12-31'),
  startsAt: instant,
  upcomingUntil: instant,
  end: fc.option(end),
  location: fc.option(fc.record({ ...place, latitude: degrees, longitude: degrees })),
});

test('the JSON of an event is its record, whatever its texts contain', () => {
  fc.assert(
    fc.property(event, (one) => {
      const record: EventRecord = {
        id: one.id,
        title: one.title,
        subject: { id: one.subject.id, name: one.subject.name },
        genre: one.genre.id,
        category: one.genre.category,
        starts_at: new Date(one.startsAt).toISOString(),
        ends_at: one.end && new Date(one.end.endsAt).toISOString(),
        date: one.date,
        end_date: one.end && one.end.endDate,
        zone: one.zone,
        time_known: one.precision !== 'day',
        precision: one.precision,
        location: one.location,
        url: one.details.url ?? one.subject.url,
        upcoming_until: new Date(one.upcomingUntil).toISOString(),
        over_at: one.end && new Date(one.end.overAt).toISOString(),
      };
      expect(eventJson(one)).toBe(JSON.stringify(record));
    }),
  );
});

test('the fields of a record are in the order of the schema', () => {
  const [one] = fc.sample(event, 1);
  if (one === undefined) throw new Error('no sample');
  expect(Object.keys(JSON.parse(eventJson(one)) as object)).toEqual(Object.keys(eventSchema.shape));
});
