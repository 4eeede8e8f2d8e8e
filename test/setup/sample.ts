import type { Tree } from './folders.ts';

/** Two times at which the sample has the same upcoming events. */
export const now = '2026-11-20T12:17:00Z';
export const later = '2026-11-21T06:00:00.250+01:00';

/** A small valid data folder. */
export const sample: Tree = {
  'data/service.json': {
    name: 'Sample',
    license: 'Free to use.',
    base_url: 'https://service.example/',
  },
  'data/tv/category.json': { name: 'Television' },
  'data/tv/drama/genre.json': { name: 'Drama' },
  'data/tv/drama/night-ferry.json': {
    name: 'Night Ferry',
    events: [
      { title: 'Premiere', starts: '2027-09-12T21:00', zone: 'Europe/Oslo' },
      { title: 'Reading', starts: '2027-10-03' },
      { title: 'Sequel', starts: '2028' },
      { title: 'Pilot', starts: '2020-01-01' },
    ],
  },
  'data/film/category.json': { name: 'Film' },
  'data/film/drama/genre.json': { name: 'Drama' },
  'data/film/drama/a-film.json': {
    name: 'A film',
    events: [{ title: 'Opens', starts: '2027-09-12T21:00Z' }],
  },
};
