import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../src/api/documents.ts';
import { subjectPage } from '../../src/api/paths.ts';
import { eventSchema } from '../../src/api/schemas.ts';
import { writableId } from '../../src/readers/schema/event-ids.ts';
import { readCatalogue } from '../setup/readers.ts';
import { problemLine } from '../../src/problem/problem.ts';
import { eventRecord } from '../../src/render/records.ts';
import { readSections } from '../setup/sections.ts';

/*
 * A catalogue that takes its events from another one.
 */
const valid = join(import.meta.dirname, '../fixtures/valid');
const other = 'https://other.example';
const genre = { id: 'g-c', name: 'G', category: 'c', zone: 'Europe/Berlin' };

const file = { stem: 'x', genre, now: 0, name: null, url: null };

/** The lists of all events of the cases. */
const lists = readdirSync(valid)
  .map(
    (name) =>
      [
        name,
        readSections(join(valid, name, 'expected.txt')).get('api/v1/events.ndjson') ?? '',
      ] as const,
  )
  .filter(([, text]) => text !== '');

const noDetails = { description: null, image: null, attendance: null, organizer: null };

test.each(lists)('the events of %s keep every field, except when it changed', (_, text) => {
  const { subjects, findings, warnings } = readCatalogue(text, {
    ...file,
    address: `${other}/api/v1/events.ndjson`,
  });
  expect([findings, warnings]).toEqual([[], []]);
  const taken = subjects.flatMap((one) =>
    [one.upcoming, one.under_way, one.cancelled, one.over].flat(),
  );
  const published = recordsIn(text).filter((record) => 'starts_at' in record);
  const wanted = published.map(({ state: _state, ...record }) => {
    const [home = '', subject = '', id = ''] = record.id.split('/');
    const source = record.details?.source ?? `${other}/${subjectPage(home, subject)}`;
    const details = { ...noDetails, ...record.details, source };
    // Without a zone, nobody can tell in which offset a date is.
    const isVague = record.zone === null && record.time_known;
    const date = isVague ? record.starts_at.slice(0, 10) : record.date;
    const starts_local = isVague ? null : record.starts_local;
    return {
      ...record,
      id: `g-c/${subject}/${writableId(id)}`,
      genre: 'g-c',
      category: 'c',
      date,
      starts_local,
      details,
      updated_at: null,
    };
  });
  expect(byId(taken.map(eventRecord))).toEqual(byId(wanted));
});

test('the lists have a value of every field', () => {
  const all = lists
    .flatMap(([, text]) => recordsIn(text))
    .map(({ details, ...record }) => ({ ...record, ...details }));
  const fields = [...Object.keys(eventSchema.shape), ...Object.keys(noDetails)].filter(
    (field) => field !== 'details',
  );
  const isMissing = (field: string): boolean =>
    all.every((record) => (record as Record<string, unknown>)[field] == null);
  expect(fields.filter(isMissing)).toEqual([]);
  expect([...Object.keys(noDetails), 'source']).toEqual(
    Object.keys(eventSchema.shape.details.unwrap().shape),
  );
});

function recordsIn(text: string) {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as EventRecord & { readonly state: string });
}

function byId(records: readonly EventRecord[]): Record<string, EventRecord> {
  return Object.fromEntries(records.map((record) => [record.id, record]));
}

test('leaves out a line that is no event, and gives subjects of one id in two genres ids of their own', () => {
  const record = JSON.parse(lists[0]?.[1].split('\n')[0] ?? '') as EventRecord;
  const line = (changes: object): string => JSON.stringify({ ...record, ...changes });
  const good = [line({ id: 'a-b/s/one' }), line({ id: 'c-b/s/one' }), line({ id: 'c-b/t/two' })];
  const bad = [
    '{',
    '7',
    'null',
    line({ id: 'a/b' }),
    line({ id: 'a/../c' }),
    line({ id: 'a/b/c', title: ' ' }),
  ];
  bad.push(
    line({ id: 'a/b/c', date: 7, precision: 'day' }),
    line({ id: 'a/b/c', subject: null }),
    good[0] ?? '',
  );
  const { subjects, findings, warnings } = readCatalogue([...good, '', ...bad].join('\n'), file);
  expect(findings).toEqual([]);
  expect(subjects.map(({ id }) => id)).toEqual(['s-a-b', 's-c-b', 't']);
  expect(warnings.map(({ problem }) => problem.code)).toEqual(bad.map(() => 'bad-event-line'));
  expect(readCatalogue('<html>', file).findings).toMatchObject([
    { problem: { code: 'bad-event-line' }, offset: 0 },
  ]);
  expect(readCatalogue('', file)).toMatchObject({ subjects: [], findings: [], warnings: [] });
  expect(
    problemLine({ ...(warnings[0]?.problem as { code: 'bad-event-line' }), place: null }),
  ).toContain('events.ndjson');
});

test('a text with more invalid events than a file may report is read without any of them', () => {
  const text = lists.find(([name]) => name === 'minimal')?.[1] ?? lists[0]?.[1] ?? '';
  const record = JSON.parse(text.slice(0, text.indexOf('\n'))) as EventRecord;
  const lines = Array.from({ length: 2500 }, (_, index) => ({
    ...record,
    id: `a-b/c/d${Math.min(index, 1)}`,
  }));
  const { subjects, warnings } = readCatalogue(
    lines.map((line) => JSON.stringify(line)).join('\n'),
    file,
  );
  expect(subjects.flatMap(({ source: { events = [] } }) => events.map(({ id }) => id))).toEqual([
    'd0',
    'd1',
  ]);
  expect(warnings).toHaveLength(2498);
});
