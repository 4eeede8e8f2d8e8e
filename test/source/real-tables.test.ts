import { expect, test } from 'vitest';
import { openTable } from '../../src/source/csv/cells.ts';
import { guessHeader, guessTable } from '../../src/source/csv/guess.ts';
import { readTable } from '../../src/source/csv/read-table.ts';
import type { PartialEvent, TableMapping } from '../../src/source/json/types.ts';

/*
 * Small tables of our own in the shapes of tables that people keep, and what a person reads in them, as one line for
 * each event: title | starts | ends | place | further facts. `mapping` is what somebody corrects within a minute.
 */
interface Case {
  readonly table: string;
  readonly mapping?: TableMapping;
  readonly events: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'a title above, in a merged cell': {
    table: `Veranstaltungen 2027 🎭;;;;
Datum;Beginn;Veranstaltung;Ort;Abgesagt
Sa, 30.01.2027;19:30;Faust;Großes Haus;FALSCH
31.01.2027;;Ballett;Oper;WAHR`,
    events: ['Faust | 2027-01-30T19:30 | | Großes Haus', 'Ballett | 2027-01-31 | | Oper | cancelled'],
  },
  'a column of dates with cells that are none': {
    table: `Datum,Titel
Ostern,Markt
12.02.,Lesung
30.01.2027,Konzert
06.02.2027,Tanz`,
    mapping: { skip: true },
    events: ['Konzert | 2027-01-30', 'Tanz | 2027-02-06'],
  },
  'ISO ranges, and the dates of reviewers': {
    table: `Conference,Notification Date,Conference Date Range,Location
NeurIPS,2026-09-30,2026-12-06 to 2026-12-12,Sydney
ICML,2027-05-01,2027-07-11/2027-07-17,Seoul
CHI,2027-01-14,2027-05-10..2027-05-14,Pittsburgh`,
    events: [
      'NeurIPS | 2026-12-06 | 2026-12-12 | Sydney',
      'ICML | 2027-07-11 | 2027-07-17 | Seoul',
      'CHI | 2027-05-10 | 2027-05-14 | Pittsburgh',
    ],
  },
  'two columns of dates': {
    table: `Name,Doors,Show date
Band A,2027-03-01,2027-03-02
Band B,2027-03-08,2027-03-09`,
    mapping: { columns: { 'Show date': 'starts' }, ignore: ['Doors'] },
    events: ['Band A | 2027-03-02', 'Band B | 2027-03-09'],
  },
  'afternoons of twelve hours': {
    table: `Event\tDate\tTime\tLocation
Pumpkin carving\t10/28/2027\t4:00-5:30 PM\tQuad
Movie night\t11/13/2027\t7 - 9 PM\tHall
Brunch\t11/14/2027\t11:00-1:00 PM\tCafé`,
    events: [
      'Pumpkin carving | 2027-10-28T16:00 | 17:30 | Quad',
      'Movie night | 2027-11-13T19:00 | 21:00 | Hall',
      'Brunch | 2027-11-14T11:00 | 13:00 | Café',
    ],
  },
  'days with their weekdays, which decide the order': {
    table: `When,What
Sat 01/05/27,May fair
Sun 02/05/27,Walk`,
    events: ['May fair | 2027-05-01', 'Walk | 2027-05-02'],
  },
  'quoted cells with line breaks and commas': {
    table: `"Date","Event","Where"
"March 4, 2027","Talk: ""Bees, and us""","Hall 1,
2nd floor"`,
    events: ['Talk: "Bees, and us" | 2027-03-04 | | Hall 1, 2nd floor'],
  },
  'times of calendars at midnight': {
    table: `Subject,Start Date,Start Time,End Date,End Time,All day event
Holiday,12/24/2027,12:00:00 AM,12/25/2027,12:00:00 AM,True
Review,12/13/2027,9:00:00 AM,12/13/2027,10:30:00 AM,False`,
    events: ['Holiday | 2027-12-24 | 2027-12-24', 'Review | 2027-12-13T09:00 | 2027-12-13T10:30'],
  },
  'a heading for each month, and words for what is cancelled': {
    table: `Datum;Veranstaltung;Ort;Status
Januar 2027;;;
30.01.2027;Faust;Großes Haus;
31.01.2027;Ballett;Oper;Abgesagt
Februar 2027;;;
05.02.2027;Lesung;Bücherei;verschoben`,
    events: [
      'Faust | 2027-01-30 | | Großes Haus',
      'Ballett | 2027-01-31 | | Oper | cancelled',
      'Lesung | 2027-02-05 | | Bücherei | postponed',
    ],
  },
  'a schedule in French, by days': {
    table: `Date,Titre,Lieu,Statut
LES CONCERTS,,,
9 mai 2027,Récital,Église,annulé
10 mai 2027,Chœur,Église,à confirmer`,
    events: ['Récital | 2027-05-09 | | Église | cancelled', 'Chœur | 2027-05-10 | | Église | tentative'],
  },
  "almanac's own events.csv": {
    table: `id,title,subject_id,subject,genre,category,starts_at,ends_at,date,end_date,zone,time_known,starts_local
c-g/hall/open-day,Open day,hall,Hall,c-g,c,2027-01-01T00:00:00.000Z,2027-01-02T00:00:00.000Z,2027-01-01,2027-01-02,,false,
c-g/hall/concert,Concert,hall,Hall,c-g,c,2027-02-01T19:00:00.000Z,2027-02-01T21:30:00.000Z,2027-02-01,2027-02-01,Europe/Vienna,true,2027-02-01T20:00`,
    events: ['Open day | 2027-01-01 | 2027-01-02', 'Concert | 2027-02-01T20:00 | 2027-02-01T21:30Z'],
  },
};

function describeEvent({ title, starts, ends, location, url, status, cancelled }: PartialEvent): string {
  const place = typeof location === 'object' && location !== null ? Object.values(location).filter(Boolean) : location;
  const facts = [url, status, cancelled === true ? 'cancelled' : ''].filter(Boolean);
  const cells = [title, starts, ends ?? '', Array.isArray(place) ? place.join(', ') : (place ?? ''), ...facts];
  return cells
    .join(' | ')
    .replace(/(?: \|\s*)+$/, '')
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|  |', '| |');
}

test.each(Object.entries(cases))('reads %s as a person does', (_, { table, mapping: known = {}, events }) => {
  const grid = openTable(table, (rows) => guessHeader(rows, known));
  if ('problem' in grid) throw new Error('the case is invalid');
  const { mapping, problem } = guessTable(grid, known, 'table');
  const genre = { id: 'g-c', name: 'G', category: 'c', zone: 'Europe/Berlin' };
  const { subjects, findings } = readTable(table, { stem: 't', genre, now: 0, name: null, url: null, mapping });
  expect([problem, findings]).toEqual([null, []]);
  expect(subjects.flatMap(({ source }) => source.events ?? []).map(describeEvent)).toEqual(events);
});
