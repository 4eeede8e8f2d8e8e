import * as fc from 'fast-check';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { problemLine, type Problem } from '../../src/problem/problem.ts';
import { openTable } from '../../src/readers/table/cells.ts';
import type { Rows } from '../../src/readers/table/rows.ts';
import { guessHeader, guessTable } from '../../src/authoring/guess.ts';
import { readJsonTable, readTable } from '../setup/readers.ts';
import { openDocument } from '../../src/readers/documents/read-documents.ts';
import { placeAll, type TextFinding } from '../../src/readers/schema/finding.ts';
import type { TableMapping } from '../../src/readers/schema/source-types.ts';
import { columns } from '../../src/readers/table/columns.ts';
import { parseSource } from '../../src/source/validate.ts';
import { decodeTable } from '../../src/source/text.ts';
import { isUpdate } from '../setup/golden.ts';
import { readSections, writeSections } from '../setup/sections.ts';

/*
 * test/fixtures/tables/{case}.txt contains a table as people have it, its mapping, and the events
 * that it means: written by hand, as the keys of a subject file, by the ids of the subjects. A list
 * of objects is table.json, a table table.csv. tables.md names the tables in public repositories
 * that have the same shape.
 */
const folder = join(import.meta.dirname, '../fixtures/tables');
const cases = new Map(
  readdirSync(folder).map((file) => [basename(file, '.txt'), readSections(join(folder, file))]),
);
const names = [...cases.keys()];

function section(name: string, path: string): string {
  const text = cases.get(name)?.get(path);
  if (text === undefined) throw new Error(`the case ${name} has no ${path}`);
  return text;
}
const genre = { id: 'g-c', name: 'G', category: 'c' };

/** Whether the table of a case is a list of objects. */
function isList(name: string): boolean {
  return cases.get(name)?.has('table.json') === true;
}

/** Two cases have another encoding than UTF-8, by their names. */
function bytesOf(name: string): Buffer {
  const text = section(name, isList(name) ? 'table.json' : 'table.csv');
  if (name === 'utf-16') return Buffer.from(`\ufeff${text}`, 'utf16le');
  return name === 'windows-1252'
    ? Buffer.from(text.replaceAll('–', '\x96'), 'latin1')
    : Buffer.from(text);
}

function openGuessed(text: string): Rows | TextFinding {
  return openTable(text, { findHeader: (rows) => guessHeader(rows, {}) });
}

function readText(name: string, warnings: Problem[] = []): string {
  const text = decodeTable(
    bytesOf(name),
    () => 'table.csv',
    (problem) => warnings.push(problem),
  );
  if (typeof text !== 'string') throw new Error('the case is invalid');
  return text;
}

function readMapping(name: string): TableMapping {
  const mapping = parseSource(section(name, 'table.columns.json'), 'columns');
  if (mapping === null) throw new Error('the case is invalid');
  return mapping;
}

function readCase(name: string) {
  const warnings: Problem[] = [];
  const [text, mapping] = [readText(name, warnings), readMapping(name)];
  const file = {
    stem: 'table',
    genre,
    now: 0,
    name: null,
    url: null,
    mapping,
    mappingName: 'table.columns.json',
  };
  const reading = (isList(name) ? readJsonTable : readTable)(text, file);
  const placed = placeAll(reading.warnings, text, 'table.csv');
  const events = Object.fromEntries(reading.subjects.map(({ id, source }) => [id, source.events]));
  return {
    events,
    problems: placeAll(reading.findings, text, 'table.csv'),
    warnings: [...warnings, ...placed],
  };
}

test.each(names)('reads %s', (name) => {
  const { events, problems } = readCase(name);
  expect(problems.map(problemLine)).toEqual([]);
  expect(events).toEqual(JSON.parse(section(name, 'expected.json')));
});

test('a table of which nothing can be read is invalid, even if rows may be left out', () => {
  const file = { stem: 't', genre, now: 0, name: 'Club', url: null, mapping: { skip: true } };
  const { findings, warnings } = readTable('title,starts\nOne,soon\nTwo,later\n', file);
  expect([findings.map(({ problem }) => problem.code), warnings]).toEqual([
    ['bad-starts', 'bad-starts'],
    [],
  ]);
});

test('leaves out details that cannot be read, and rows that repeat others, even if rows may not be left out', () => {
  const text = `title,starts,url,location,country,latitude,longitude,tags,cancelled
One,2027-01-01,http://example.org,Hall,Atlantis,north,1,"Open air, Fête",
One,2027-01-01,http://example.org,Hall,Atlantis,north,1,"Open air, Fête",
Two,2027-01-02,,,Germany,,,,maybe
`;
  const file = { stem: 't', genre, now: 0, name: 'Club', url: null, mapping: {} };
  const { subjects, findings, warnings } = readTable(text, file);
  expect(findings.map(({ problem }) => problem.code)).toEqual(['bad-value']);
  expect(subjects[0]?.source.events).toEqual([
    {
      title: 'One',
      starts: '2027-01-01',
      location: 'Hall',
      tags: ['open-air', 'fete'],
      id: 'one-2027-01-01',
    },
    { title: 'Two', starts: '2027-01-02', id: 'two-2027-01-02' },
  ]);
  expect(warnings.map(({ problem }) => problem)).toMatchObject([
    { code: 'skipped-rows', rows: 0, cells: 9, repeated: 1 },
    { code: 'bad-value', key: 'url' },
    { code: 'bad-value', key: 'country' },
    { code: 'bad-value', key: 'latitude' },
  ]);
  const repeated = readTable('title,starts\nOne,2027-01-01\nOne,2027-01-01\n', file).warnings;
  // The problem repeated-row.
  expect(
    placeAll(repeated, 'title,starts\nOne,2027-01-01\nOne,2027-01-01\n', 't.csv').map(problemLine),
  ).toEqual([
    't.csv:3:1: left out 1 repeated row; the reasons, at most three, are reported too',
    't.csv:3:1: found a row with the same content as the one on line 2; remove one of the two',
  ]);
});

test('reads UTF-16 of a spreadsheet with its mark, and anything else that is not UTF-8 as Windows-1252', () => {
  const decode = (bytes: Buffer): unknown => {
    const warnings: Problem[] = [];
    const text = decodeTable(
      bytes,
      () => 't.csv',
      (problem) => warnings.push(problem),
    );
    return typeof text === 'string' ? [text, ...warnings.map(problemLine)] : [text.code];
  };
  const text = 'é,€\n';
  expect(decode(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual([text]);
  expect(decode(Buffer.from(`\ufeff${text}`))).toEqual([text]);
  expect(decode(Buffer.from([0x61, 0x0a, 0xe9, 0x2c, 0x80, 0x0a]))).toEqual([
    `a\n${text}`,
    // The problem guessed-encoding.
    't.csv:2:1: found bytes that are not UTF-8, and read them as Windows-1252; if letters look wrong, save the file as UTF-8',
  ]);
  // Windows-1252 has no character 81, and no table has the character 0.
  for (const byte of [0x81, 0x00]) expect(decode(Buffer.from([0xe9, byte]))).toEqual(['not-utf8']);
});

test.each(names)('guesses how to read %s', (name) => {
  const { rows } = readMapping(name);
  const grid = isList(name)
    ? openDocument(readText(name), 'json', rows === undefined ? {} : { rows })
    : openGuessed(readText(name));
  if ('problem' in grid) throw new Error('the case is invalid');
  const { mapping, doubts, problems } = guessTable(grid, {}, 'table');
  const questions = problems.map((problem) => problemLine({ ...problem, place: null } as Problem));
  const guess = `${JSON.stringify({ mapping, doubts, questions }, null, 2)}\n`;
  if (isUpdate)
    writeSections(join(folder, `${name}.txt`), cases.get(name)?.set('guess.json', guess) ?? []);
  expect(guess).toBe(section(name, 'guess.json'));
});

test('finds the place of each problem in a list of objects', () => {
  const text = `{ "list": [
    { "what": "One", "when": { "day": "2027-01-01" } },
    { "what": "", "when": { "day": "2027-02-30" } },
    { "what": "Three", "when": { "day": "soon" }, "link": "http://example.org" }
  ] }`;
  const mapping = {
    rows: 'list',
    columns: { what: 'title', 'when.day': 'starts', link: 'url' },
    subject: 'S',
  };
  const file = { stem: 't', genre, now: 0, name: null, url: null, mapping };
  const { findings, warnings } = readJsonTable(text, file);
  const found = [...findings, ...warnings].map(({ problem, offset }) => [
    problem.code,
    text.slice(offset, offset + 12),
  ]);
  expect(found).toEqual([
    ['empty-text', '"", "when": '],
    ['no-such-date', '"2027-02-30"'],
    ['bad-starts', '"soon" }, "l'],
    ['skipped-rows', '"http://exam'],
    ['bad-value', '"http://exam'],
  ]);
  const codesOf = (document: string, rows?: string): unknown =>
    readJsonTable(document, { ...file, mapping: { ...mapping, rows } }).findings.map(
      ({ problem }) => problem,
    );
  const proposals = [{ path: 'data.matches', count: 1 }];
  expect(codesOf('{ "data": { "matches": [{ "a": "2027-01-01" }] } }', 'data')).toEqual([
    { code: 'bad-rows', found: 'an object', rows: 'data', proposals },
  ]);
  expect(codesOf('[1]')).toMatchObject([{ code: 'bad-rows', found: 'an array' }]);
  expect(codesOf('[{ "__proto__": { "day": 1 } }]', 'toString')).toMatchObject([
    { code: 'bad-rows', found: 'nothing' },
  ]);
  expect(codesOf('[{')).toMatchObject([{ code: 'invalid-json' }]);
  expect(codesOf(`[${Array.from({ length: 250_001 }, () => '{}').join()}]`)).toMatchObject([
    { code: 'bad-table' },
  ]);
});

const mapped = (text: string, mapping: TableMapping) =>
  readTable(text, {
    stem: 't',
    genre,
    now: Date.UTC(2026, 10, 20),
    name: 'Club',
    url: null,
    mapping,
    mappingName: 't.columns.json',
  });
const guessOf = (text: string, known: TableMapping = {}): TableMapping => {
  const grid = openGuessed(text);
  if ('problem' in grid) throw new Error('the table is invalid');
  return guessTable(grid, known, 't').mapping;
};

test('an ignored column is never read or guessed, and one in use is a problem', () => {
  const text = 'Show,Title,Date,Notes\nA,Pilot,2027-02-01,secret\nB,Finale,2027-02-02,secret\n';
  const guess = guessOf(text, { ignore: ['Notes'] });
  expect(guess.ignore).toEqual(['Notes']);
  expect(Object.keys(guess.columns ?? {})).toEqual(['Show', 'Title', 'Date']);
  expect(guessOf(text).columns).not.toHaveProperty('Notes');
  const columns = { Date: 'starts', Notes: 'description' };
  for (const one of [{ columns }, { columns: { Date: 'starts' }, title: '{Notes}' }]) {
    const { subjects, findings } = mapped(text, { ...one, ignore: ['Notes', 'Show'] });
    expect([subjects, findings.map(({ problem }) => problem.code)]).toEqual([
      [],
      ['used-and-ignored'],
    ]);
  }
});

/** A cell of each column that docs/sources.md names. */
const ownCells = {
  subject: 'Fest',
  title: 'Concert',
  starts: '2027-01-01T20:00',
  ends: '2027-01-01T22:00',
  zone: 'Europe/Berlin',
  url: 'https://example.org/a',
  id: 'x1',
  status: 'tentative',
  cancelled: 'true',
  location: 'Hall',
  tags: 'jazz open-air',
  description: 'Fine.',
  image: 'https://example.org/a.png',
  attendance: 'online',
  organizer: 'Club',
  source: 'https://example.org/b',
  address: 'Street 1',
  country: 'DE',
  latitude: '1.5',
  longitude: '2.5',
  repeat: 'FREQ=WEEKLY;UNTIL=2027-02-01',
  except: '2027-01-08',
  far_ahead: 'true',
};

test('a table with our columns comes out the same with and without a guess, and no ignored one comes out', () => {
  expect(Object.keys(ownCells).toSorted()).toEqual([...columns].toSorted());
  const foreign = ['Notes', 'Beschreibung', 'Bild', 'Kategorie', 'Veranstalter', 'Wo', 'bis'];
  const table = (cells: Readonly<Record<string, string>>): string =>
    [Object.keys(cells), Object.values(cells)].map((row) => `${row.join('\t')}\n`).join('');
  const { subject, title, starts, zone } = ownCells;
  for (const own of [ownCells, { subject, title, starts, zone }]) {
    const plain = readTable(table(own), { stem: 't', genre, now: 0, name: null, url: null });
    const mixed = table({ ...Object.fromEntries(foreign.map((name) => [name, 'secret'])), ...own });
    const guessed = mapped(mixed, guessOf(mixed, { ignore: foreign }));
    expect([plain.findings, guessed.findings]).toEqual([[], []]);
    expect(guessed.subjects.map(({ source }) => source)).toEqual(
      plain.subjects.map(({ source }) => source),
    );
    expect(JSON.stringify(guessed.subjects)).not.toContain('secret');
  }
});

const messagesOf = (text: string, mapping: TableMapping): string[] => {
  const { findings, warnings } = mapped(text, mapping);
  return placeAll([...findings, ...warnings], text, 't.csv').map(problemLine);
};

test('leaves out a time, an end or a surplus cell that cannot be read, and keeps the date', () => {
  const rows = [
    'title,starts,time,ends,zone,status',
    'A,2027-01-01,evening,,Europe/Berlin,',
    'B,2027-01-02T20:00,,,MEZ,',
    'C,2027-01-03,,,,,surplus',
    'D,2027-01-04,20:00,,,',
    'E,2027-01-05,,,,geplatzt',
  ];
  const { subjects, warnings } = mapped(rows.join('\n'), { skip: true });
  expect(subjects[0]?.source.events?.map(({ title, starts }) => `${title} ${starts}`)).toEqual([
    'A 2027-01-01',
    'B 2027-01-02',
    'C 2027-01-03',
    'D 2027-01-04',
  ]);
  expect(warnings.map(({ problem }) => problem)).toMatchObject([
    { code: 'skipped-rows', rows: 1, cells: 4 },
    { code: 'bad-time', found: 'evening' },
    { code: 'unknown-zone', found: 'MEZ', nearest: 'Europe/Berlin' },
    { code: 'ragged-row' },
  ]);
});

test('says that the hours of a range of dates are left out', () => {
  const text = 'title,starts,time\nFair,17.04.2027 - 18.04.2027,10:00\nFair,30.04.-02.05.2027,\n';
  const { subjects } = mapped(text, { dates: 'd.m.y' });
  expect(subjects[0]?.source.events?.map(({ starts, ends }) => [starts, ends])).toEqual([
    ['2027-04-17', '2027-04-18'],
    ['2027-04-30', '2027-05-02'],
  ]);
  // The problem hours-left-out.
  expect(messagesOf(text, { dates: 'd.m.y' })[1]).toContain(
    'left out the hours "10:00" of a range of dates',
  );
});

test('an id stays when other rows come, go or change places, and when a row gets an end or a column', () => {
  const row = fc.record({
    title: fc.constantFrom('Yoga', 'Yoga!', 'Talk', '朝'),
    date: fc.constantFrom('2027-01-08', '2027-01-15', '2027-02'),
    time: fc.constantFrom('', 'T18:00Z', 'T20:30Z'),
    location: fc.constantFrom('', 'Hall'),
  });
  type Row = typeof row extends fc.Arbitrary<infer One> ? One : never;
  const keyOf = ({ title, date, time, location }: Row) => [
    date + (date === '2027-02' ? '' : time),
    title,
    location,
  ];
  const idsOf = (rows: readonly Row[], column = ''): Map<string, string | undefined> => {
    const lines = rows.map((one) => [...keyOf(one), column === '' ? '' : 'x'].join(','));
    const { subjects, findings } = mapped(
      ['starts,title,location,image', ...lines, ''].join('\n'),
      {},
    );
    expect(findings).toEqual([]);
    const events = subjects.flatMap(({ source }) => source.events ?? []);
    return new Map(
      events.map(({ starts, title, location, id }) => [
        `${starts} ${title} ${location as string}`,
        id,
      ]),
    );
  };
  const table = fc.uniqueArray(row, { selector: (one) => keyOf(one).join(), maxLength: 20 });
  fc.assert(
    fc.property(table, fc.infiniteStream(fc.boolean()), (rows, keeps) => {
      const all = idsOf(rows);
      expect(new Set(all.values()).size).toBe(all.size);
      // Of the rows of one day with one title, only the last ones go.
      const gone = new Set<string>();
      const kept = rows
        .toSorted((a, b) => (keyOf(a).join('\n') < keyOf(b).join('\n') ? -1 : 1))
        .filter(({ title, date }) => {
          const day = `${date} ${title.replace('!', '')}`;
          if (!keeps.next().value) gone.add(day);
          return !gone.has(day);
        });
      for (const [key, id] of idsOf(kept.toReversed(), 'image'))
        expect([key, id]).toEqual([key, all.get(key)]);
    }),
  );
});

test('a column that the mapping does not name is a doubt, and never read', () => {
  const text = 'Titel,Datum,Fällig\nEins,2027-01-02,2027-01-01\n';
  const { subjects, findings, doubts } = mapped(text, {
    columns: { Titel: 'title', Datum: 'starts' },
  });
  expect([findings, JSON.stringify(subjects).includes('2027-01-01T')]).toEqual([[], false]);
  // The problem unmapped-columns.
  expect(placeAll(doubts, text, 't.csv').map(problemLine)).toEqual([
    't.csv:1:13: found unknown columns: "Fällig"; t.columns.json does not name them, so they are not read; add each to "columns" or "ignore"',
  ]);
});

test('a guess takes the column with a name of the start, and says which other could be', () => {
  const text = 'Name,Date,Arrival\nA,2027-03-02,2027-03-01\nB,2027-03-09,2027-03-08\n';
  const grid = openGuessed(text);
  if ('problem' in grid) throw new Error('the table is invalid');
  const { mapping, doubts } = guessTable(grid, {}, 't');
  expect([mapping, doubts]).toEqual([
    { columns: { Name: 'title', Date: 'starts' }, subject: 'T', ignore: ['Arrival'] },
    [
      '"Arrival" is not published: its name does not say so; --column "Arrival=starts" would publish it',
    ],
  ]);
  expect(mapped(text, mapping).doubts).toEqual([]);
});

test('cells that cannot be facts are left out and counted', () => {
  const text = [
    'title,starts,time,end_time,location',
    'A,2027-01-01,9:00,5:00,#REF!',
    'B,2027-01-02,19:00,21:00,https://meet.example/1',
    'C,2027-01-03,,,TBA',
  ].join('\n');
  const names = ['title', 'starts', 'time', 'end_time', 'location'];
  const columns = Object.fromEntries(names.map((name) => [name, name]));
  const mapping = { columns, zone: 'Europe/Berlin' };
  const { subjects, findings, warnings } = mapped(`${text}\n`, mapping);
  expect(findings).toEqual([]);
  expect(warnings.map(({ problem }) => problem.code)).toEqual([
    'skipped-rows',
    'error-value',
    'end-left-out',
    'link-as-place',
  ]);
  expect(subjects[0]?.source.events).toEqual([
    { title: 'A', starts: '2027-01-01T09:00', id: 'a-2027-01-01' },
    { title: 'B', starts: '2027-01-02T19:00', ends: '21:00', id: 'b-2027-01-02' },
    { title: 'C', starts: '2027-01-03', id: 'c-2027-01-03' },
  ]);
});

test('hints at spellings of one subject', () => {
  const text = [
    'Wer,Was,Datum',
    ...['Stadttheater', 'Stadt-Theater', 'Stadtheater', 'Oper'].map(
      (name) => `${name},X,2027-01-01`,
    ),
  ];
  const mapping = { columns: { Wer: 'subject', Was: 'title', Datum: 'starts' } };
  const { doubts } = mapped(text.join('\n'), mapping);
  expect(doubts.map(({ problem }) => problem)).toEqual([
    { code: 'similar-subjects', names: ['Stadttheater', 'Stadt-Theater', 'Stadtheater'] },
  ]);
});
