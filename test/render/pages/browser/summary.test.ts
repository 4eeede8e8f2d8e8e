import { expect, test } from 'vitest';
import type { EventsDocument } from '../../../../src/api/documents.ts';
import type { Choice } from '../../../../src/render/pages/browser/choice.ts';
import { atOnce, moreOf, summaryOf, type Found } from '../../../../src/render/pages/browser/summary.ts';

const all: Choice = { category: null, genre: null, month: null, search: '' };
const some: Found = { count: 4, events: [], total: 4, capped: [], left: 0, reach: null, isWide: false };
const first: Found = { ...some, count: 200, total: 1571, reach: '2027-01-05' };
const wide: Found = { ...first, count: 1518, capped: [cappedList('moons')], reach: '2042-03-01', isWide: true };
const partly: Found = { ...wide, capped: [], left: 50, reach: '2027-01-05' };
const names = (id: string): string => id.toUpperCase();

/** A list of two published events out of seven. */
function cappedList(genre: string | null): EventsDocument {
  return { filters: { genre, category: null }, limit: 2, total: 7, events: [{}, {}] as EventsDocument['events'] };
}

test.each<[Partial<Found>, Partial<Choice>, string]>([
  [some, {}, '4 upcoming events.'],
  [{ ...some, count: 1 }, {}, '1 upcoming event.'],
  [{ ...some, count: 0 }, {}, 'Nothing is coming up.'],
  [{ ...some, count: 0 }, { month: '2027-01' }, 'Nothing is coming up in January 2027.'],
  [{ ...some, count: 0 }, { search: 'zz' }, 'Nothing coming up matches “zz”.'],
  [first, {}, 'First 200 of 1,571 upcoming events.'],
  [{ ...first, count: 147 }, { month: '2026-12' }, '147 upcoming events in December 2026.'],
  [{ ...first, count: 0 }, { month: '2026-12' }, 'Nothing is coming up in December 2026.'],
  [wide, {}, '1,518 upcoming events. Not listed: the last 5 of 7 MOONS.'],
  [{ ...wide, count: 78 }, { month: '2027-01' }, '78 upcoming events in January 2027.'],
  [
    { ...wide, count: 689 },
    { month: '2027-11-on' },
    '689 upcoming events from November 2027 on. Not listed: the last 5 of 7 MOONS.',
  ],
  [
    { ...wide, count: 0 },
    { month: '2042-03' },
    'Nothing is listed in March 2042, but not every list reaches that far. Not listed: the last 5 of 7 MOONS.',
  ],
  [{ ...wide, count: 1 }, { search: 'zz' }, '1 event with “zz”. Not searched: the last 5 of 7 MOONS.'],
  [{ ...wide, count: 0 }, { search: 'zz' }, 'Nothing coming up matches “zz”. Not searched: the last 5 of 7 MOONS.'],
  [{ ...wide, count: 2 }, { search: 'zz', month: '2027-01' }, '2 events with “zz” in January 2027.'],
  [partly, {}, '1,518 upcoming events. 50 lists were not read yet.'],
  [{ ...partly, left: 1 }, {}, '1,518 upcoming events. 1 list was not read yet.'],
  [
    { ...partly, count: 0 },
    { search: 'zz', month: '2027-02' },
    'Nothing with “zz” was found yet in February 2027. 50 lists were not read yet.',
  ],
  [
    { ...wide, capped: ['a', 'b', null, 'd', 'e'].map(cappedList) },
    {},
    '1,518 upcoming events. Not listed: the last 5 of 7 A; the last 5 of 7 B; the last 5 of 7 events; parts of 2 more lists.',
  ],
])('of %j, chosen by %j, it says %j', (found, choice, said) => {
  expect(summaryOf({ ...some, ...found }, { ...all, ...choice }, names)).toBe(said);
});

test.each<[Partial<Found>, Partial<Choice>, ReturnType<typeof moreOf>]>([
  [some, {}, null],
  [first, {}, { wants: 'all', label: 'Show the other 1,571 events' }],
  [first, { month: '2026-12' }, null],
  [first, { genre: 'moons' }, null],
  [wide, {}, { wants: 'rows', label: 'Show 200 more' }],
  [{ ...wide, count: 210 }, {}, { wants: 'rows', label: 'Show 10 more' }],
  [{ ...wide, count: 200 }, {}, null],
  [{ ...partly, count: 3 }, {}, { wants: 'lists', label: 'Read 50 more lists' }],
  [{ ...partly, count: 3, left: 1 }, {}, { wants: 'lists', label: 'Read 1 more list' }],
  [{ ...partly, count: 3, left: 1000 }, {}, { wants: 'lists', label: 'Read 150 more lists' }],
])('of %j, chosen by %j, it offers %j', (found, choice, offer) => {
  expect(moreOf({ ...some, ...found }, { ...all, ...choice }, atOnce)).toEqual(offer);
});
