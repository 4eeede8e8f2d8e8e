import fc from 'fast-check';
import { expect, test } from 'vitest';
import { genreContent } from '../../src/catalogue/genre-content.ts';
import type { Event } from '../../src/catalogue/model.ts';
import { genreRecords, type GenreRecords } from '../../src/render/records.ts';
import { PageSummaryBuilder, type PageSummary } from '../../src/pages/page-summary.ts';

const category = { id: 'tv', name: 'TV' };
const genre = { id: 'drama-tv', name: 'Drama', category: 'tv', zone: null, location: null };
const subject = { id: 'show', name: 'Show', aliases: [], url: null };
const startsAt = Date.parse('2026-11-20');
const event: Event = {
  id: 'drama-tv/show/run',
  title: 'Run',
  subject,
  genre,
  zone: null,
  location: null,
  url: null,
  status: 'confirmed',
  tags: [],
  details: null,
  extra: null,
  offset: 0,
  precision: 'day',
  date: '2026-11-20',
  startsAt,
  upcomingUntil: startsAt,
  end: null,
};

/** Returns a genre whose events under way end on these days. */
function genreWith(id: string, ends: readonly number[]): GenreRecords {
  const underWay = ends.map((day, n): Event => {
    const overAt = startsAt + day * 86_400_000;
    return { ...event, id: `${id}/show/${n}`, end: { endDate: '', endsAt: overAt, overAt } };
  });
  const none = { upcoming: [], cancelled: [], over: [], cancelledAnnouncements: [], announced: [], floating: 0 };
  const found = [[{ subject, under_way: underWay, ...none }, 'space/eclipses/show.json']] as const;
  return genreRecords(genreContent({ ...genre, id }, found, []), null);
}

function summaryOf(genres: readonly GenreRecords[], others: readonly PageSummary[] = []): PageSummary {
  const builder = new PageSummaryBuilder('home');
  for (const one of genres) builder.add(category, one);
  for (const other of others) builder.addAll(other);
  return builder.build();
}

test('of many events under way, the summary keeps only their number', () => {
  const ends = Array.from({ length: 200_000 }, (_, n) => n);
  const summary = summaryOf([], [summaryOf([genreWith('drama-tv', ends)])]);
  expect(summary).toMatchObject({ underWay: new Map([['drama-tv', 200_000]]), byMonth: new Map(), search: [] });
});

test('genres add up to the same summary in any order and any grouping', () => {
  const ends = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 50 });
  const genres = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), ends), {
    selector: ([id]) => id,
  });
  // Each genre with the group that adds it. Group 0 is added genre by genre.
  const grouped = genres.chain((all) =>
    fc
      .shuffledSubarray(all, { minLength: all.length })
      .chain((order) =>
        fc.tuple(fc.constant(all), fc.tuple(...order.map((one) => fc.tuple(fc.nat({ max: 3 }), fc.constant(one))))),
      ),
  );
  fc.assert(
    fc.property(grouped, ([all, order]) => {
      const inGroup = (group: number): GenreRecords[] =>
        order.filter(([own]) => own === group).map(([, [id, days]]) => genreWith(id, days));
      const parts = [1, 2, 3].map((group) => summaryOf(inGroup(group)));
      const whole = summaryOf(all.map(([id, days]) => genreWith(id, days)));
      expect(summaryOf(inGroup(0), parts)).toEqual(whole);
    }),
  );
});
