import { expect, test } from 'vitest';
import { guessHeader, guessTable } from '../../src/authoring/guess.ts';
import { openTable } from '../../src/readers/table/cells.ts';
import { readTable } from '../setup/readers.ts';

/*
 * Tables that were once half understood, and their relatives: what is published of each, or the
 * questions that must be answered first. Events are `title, start, end, zone, place, status, url`.
 */
const genre = { id: 'g-c', name: 'G', category: 'c', zone: 'Europe/Berlin' };

function publish(text: string): string[] {
  const grid = openTable(text, { findHeader: (rows) => guessHeader(rows, {}) });
  if ('problem' in grid) return [grid.problem.code];
  const { mapping, problems } = guessTable(grid, {}, 'table');
  if (problems.length > 0) return problems.map(({ code }) => code);
  const file = { stem: 't', genre, now: 0, name: null, url: null, mapping };
  const { subjects, findings } = readTable(text, file);
  if (findings.length > 0) return findings.map(({ problem }) => problem.code);
  const events = subjects.flatMap(({ source }) => source.events ?? []);
  return events.map(({ title, starts, ends = '', zone = '', location, status = '', url = '' }) => {
    const place = typeof location === 'object' ? location?.name : location;
    return [title, starts, ends, zone, place, status, url].filter(Boolean).join(', ');
  });
}

function day(header: string, ...rows: string[]): string[] {
  return publish([`title,date,${header}`, ...rows.map((row) => `A,2027-03-05,${row}`)].join('\n'));
}

test.each([
  ['deadlines', 'Event,Einsendeschluss\nA,2027-03-05\n'],
  ['presales', 'Concert,Vorverkaufsstart\nA,2027-03-05\n'],
  ['applications', 'Event,Apply by\nA,2027-03-05\n'],
  ['closing dates', 'Evento,Fecha de cierre\nA,2027-03-05\n'],
  ['deadlines in Japanese', 'イベント,応募期限\nA,2027-03-05\n'],
])('asks which column is the start where all dates are %s', (_, text) => {
  expect(publish(text)).toEqual(['unclear-start']);
});

test.each([
  ['Cancellation Note', 'Flooded path'],
  ['Notes', 'cancelled due to storm'],
  ['Bemerkung', 'fällt aus wegen Sturm'],
  ['Confirmed', 'no'],
  ['Active', 'false'],
  ['Findet statt', 'nein'],
  ['Website ok', 'no'],
  ['Rescheduled', 'yes'],
  ['Audience', 'Board only'],
  ['Status', 'Type 1'],
])('asks about the column %s with the cell %s', (name, cell) => {
  expect(day(name, cell)).toEqual(['unclear-status']);
});

test.each([
  ['Confirmed', 'yes'],
  ['Confirmed attendees', '12'],
  ['Reminder active', 'yes'],
  ['Private address', 'Main Street 3'],
  ['State', 'NY'],
  ['Internal', 'only for us'],
  ['Name (internal)', 'Jane'],
  ['Access', 'step-free'],
  ['公開する時間帯の種類', '2'],
])('publishes nothing of the column %s with the cell %s, and does not ask', (name, cell) => {
  expect(day(name, cell)).toEqual(['A, 2027-03-05']);
});

test.each([
  ['Hide Event From Event Listings', 'FALSE', 'TRUE'],
  ['Publish?', 'Yes', 'No'],
  ['Show on website', 'yes', 'no'],
  ['Nur Mitglieder', 'nein', 'ja'],
  ['プライベート', 'FALSE', 'TRUE'],
])('leaves out the rows that the column %s hides', (name, shown, hidden) => {
  const text = `title,date,${name}\nA,2027-03-05,${shown}\nB,2027-03-06,${hidden}\n`;
  expect(publish(text)).toEqual(['A, 2027-03-05']);
});

test.each([
  'https://us02web.zoom.us/j/81234567890',
  'https://meet.google.com/abc-defg-hij',
  'https://teams.microsoft.com/l/meetup-join/19%3ameeting_x',
  'https://docs.google.com/document/d/1/edit?usp=sharing',
  'https://docs.google.com/forms/d/e/x/viewform?edit2=2_ABaOnu',
  'https://example.org/?token=abc',
  'https://joe:secret@example.org/',
])('publishes no link such as %s', (link) => {
  expect(day('Conference link', link)).toEqual(['A, 2027-03-05']);
  expect(day('Link', link)).toEqual(['A, 2027-03-05']);
});

test.each([
  '#¡REF!',
  '#¿NOMBRE?',
  '#NOM?',
  '#ZAHL!',
  'Wird geladen...',
  'k.A.',
  'À définir',
  '未定',
])('publishes no place such as %s', (cell) => {
  expect(day('location', cell, 'Hall').map((event) => event.includes(cell))).not.toContain(true);
});

test.each([
  ['7:00 PM', '9:00', '2027-03-05T21:00'],
  ['7 pm', '9.30', '2027-03-05T21:30'],
  ['12:00 AM', '6:00', '2027-03-05T06:00'],
  ['11:00 PM', '1:00', '2027-03-06T01:00'],
  ['20:00', '24:00', '2027-03-06T00:00'],
  ['22:00', '02:00', '2027-03-06T02:00'],
  ['22 Uhr', '2 Uhr', '2027-03-06T02:00'],
  ['9:00', '5:00', ''],
  ['9:00 Uhr', '5:00 Uhr', ''],
])('reads %s and %s', (from, until, ends) => {
  const [event = ''] = day('start time,end time', `${from},${until}`);
  const [, , end = ''] = event.split(', ');
  const whole = /^\d\d:/.test(end) ? `2027-03-05T${end}` : end;
  expect(whole.replace('Europe/Berlin', '')).toBe(ends);
});

test.each([
  ['2027-03-05 10:00 AM', '2027-03-05 2:00', '2027-03-05T14:00'],
  ['2027-03-05 7:00 PM', '2027-03-05 9:00', '2027-03-05T21:00'],
])('reads the end of %s to %s', (starts, ends, end) => {
  expect(publish(`title,starts,ends\nA,${starts},${ends}\n`)[0]).toContain(`, ${end}`);
});

test.each([
  ['date,time', '2027-03-05,00:00 - 23:59'],
  ['date,time', '2027-03-05,00:00-24:00'],
  ['date,time', '2027-03-05,12:00 AM - 11:59 PM'],
  ['date,start time,end time', '2027-03-05,00:00,23:59'],
  ['date,start time,end time', '2027-03-05,0:00,0:00'],
  ['date,start time,end date,end time', '2027-03-05,00:00,2027-03-05,24:00'],
  ['starts,ends', '2027-03-05 12:00 AM,2027-03-06 12:00 AM'],
  ['starts,ends', '2027-03-05T00:00:00+01:00,2027-03-06T00:00:00+01:00'],
  ['starts,ends', '2027-03-04T23:00:00Z,2027-03-05T23:00:00Z'],
])('reads %s with %s as a whole day', (header, row) => {
  expect(publish(`title,${header}\nA,${row}\n`)).toEqual(['A, 2027-03-05, 2027-03-05']);
});

test('reads whole days over the change of the clocks', () => {
  const row = 'A,2027-03-27T00:00:00+01:00,2027-03-29T00:00:00+02:00';
  expect(publish(`title,starts,ends\n${row}\n`)).toEqual(['A, 2027-03-27, 2027-03-28']);
});

test('the zone in the name of a column is that of this column alone', () => {
  expect(publish('title,date,time,ends UTC\nA,2027-03-05,19:00,2027-03-05 20:00\n')).toEqual([
    'A, 2027-03-05T19:00',
  ]);
  expect(publish('title,Start UTC,Time zone\nA,2027-03-05 19:00,America/New_York\n')).toEqual([
    'A, 2027-03-05T19:00',
  ]);
  expect(publish('title,start,startTimezone\nA,2027-03-05 19:00,America/New_York\n')).toEqual([
    'A, 2027-03-05T19:00, America/New_York',
  ]);
});

test.each([
  ['Home Team,Home Team.1,Away Team,Away Team.1', 'Pumas,,,Lions', 'Pumas v Lions, 2027-03-05'],
  ['Home,Away,Away.1', 'Pumas,,', 'unclear-title'],
  ['Title,Time (IST)', 'Quiz,19:00', 'unclear-zone'],
])('reads the columns %s as a whole', (header, row, expected) => {
  expect(publish(`Date,${header}\n2027-03-05,${row}\n`)).toEqual([expected]);
});

test('takes a column of dates that is called a time as the start', () => {
  expect(publish('time,event\n2027-06-09,Surf day\n')).toEqual(['Surf day, 2027-06-09']);
});
