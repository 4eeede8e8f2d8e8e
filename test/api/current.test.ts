import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { currentAt, currentUntil } from '../../src/api/current.ts';
import type { EventRecord, EventsDocument } from '../../src/api/documents.ts';

const builtAt = Date.parse('2027-01-01T00:00:00Z');
const at = (minutes: number): string => new Date(builtAt + minutes * 60_000).toISOString();

/**
 * The events of a catalogue: from when and until when each is under way, in minutes after the
 * build.
 */
const catalogue = fc
  .array(fc.record({ starts: fc.integer({ min: -50, max: 50 }), length: fc.option(fc.nat(50)) }), {
    maxLength: 40,
  })
  .map((events) =>
    events.map(
      ({ starts, length }, index) =>
        ({
          id: `g-c/s/${index}`,
          category: 'c',
          upcoming_until: at(starts),
          over_at: length === null ? null : at(starts + length),
        }) as EventRecord,
    ),
  );

/** Returns the documents that a build at an instant publishes, by the definition. */
function publishedAt(events: readonly EventRecord[], now: number) {
  const filters = { genre: null, category: null };
  const begun = (event: EventRecord): boolean => Date.parse(event.upcoming_until) <= now;
  const current = events.filter((event) => begun(event) && Date.parse(event.over_at ?? '') > now);
  const order = ({ over_at, id }: EventRecord): string => `${over_at} ${id}`;
  current.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const upcoming = events.filter((event) => !begun(event));
  const listed = (some: EventRecord[]): EventsDocument => ({
    filters,
    limit: 200,
    total: some.length,
    events: some,
  });
  return { current: listed(current), upcoming: listed(upcoming) };
}

test('what is under way later is what a later build would publish', () => {
  fc.assert(
    fc.property(catalogue, fc.nat(120), (events, minutes) => {
      const { current, upcoming } = publishedAt(events, builtAt);
      const now = builtAt + minutes * 60_000;
      const found = currentAt(current, upcoming, now);
      expect(found).toEqual(publishedAt(events, now).current);
      const until = currentUntil(found.events, upcoming, now);
      const later = Math.min(until - 1, now + 3 * 3_600_000);
      expect(currentAt(current, upcoming, later)).toEqual(found);
    }),
  );
});
