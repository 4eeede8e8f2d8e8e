import { expect, test } from 'vitest';
import { GenreSummaryBuilder } from '../../src/catalogue/genre-summary.ts';
import type { Event } from '../../src/catalogue/model.ts';
import { PageSummaryBuilder } from '../../src/pages/page-summary.ts';
import { genreRecords } from '../../src/render/records.ts';

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
  details: {},
  precision: 'day',
  date: '2026-11-20',
  startsAt,
  upcomingUntil: startsAt,
  end: null,
};

test('a genre may have more events under way than a function takes arguments', () => {
  const genreBuilder = new GenreSummaryBuilder(genre, 200);
  const underWay = Array.from({ length: 200_000 }, () => event);
  const others = { upcoming: [], cancelled: [], cancelledAnnouncements: [], announced: [], floating: 0 };
  genreBuilder.add({ subject, underWay, ...others });
  const ofGenre = new PageSummaryBuilder('home');
  ofGenre.add(category, genreRecords(genreBuilder.build()));
  const ofAll = new PageSummaryBuilder('home');
  ofAll.addAll(ofGenre.build());
  expect(ofAll.build().current).toHaveLength(200_000);
});
