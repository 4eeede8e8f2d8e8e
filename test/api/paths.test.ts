import { expect, test } from 'vitest';
import { calendarPath, documentPath } from '../../src/api/paths.ts';

test.each([
  [{}, 'api/v1/events.ics'],
  [{ category: null, genre: null }, 'api/v1/events.ics'],
  [{ category: 'tv' }, 'api/v1/category/tv/events.ics'],
  [{ genre: 'drama-tv' }, 'api/v1/genre/drama-tv/events.ics'],
  [{ category: 'tv', genre: 'drama-tv' }, 'api/v1/genre/drama-tv/events.ics'],
])('the calendar of %j is %s: a site has none for a pair', (filters, path) => {
  expect(calendarPath(filters)).toBe(path);
});

test('the document of a pair has the category first', () => {
  const path = documentPath({ operation: 'events', genre: 'drama-tv', category: 'tv' });
  expect(path).toBe('api/v1/category/tv/genre/drama-tv/events.json');
});
