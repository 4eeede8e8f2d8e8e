import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEntries } from '../../src/readers/documents/entries.ts';
import { readFrontMatter } from '../../src/readers/documents/front-matter.ts';
import { parseJsonDocument } from '../../src/readers/documents/json.ts';
import {
  cellOf,
  selectDocumentRows,
  spotOf,
  type Document,
} from '../../src/readers/documents/rows.ts';
import { parseToml } from '../../src/readers/documents/toml.ts';
import { DocumentError, type Value } from '../../src/readers/documents/value.ts';
import { parseYaml } from '../../src/readers/documents/yaml.ts';
import type { TextReading } from '../../src/readers/schema/reading.ts';
import { readFolder as readPages, readToml, readYaml } from '../setup/readers.ts';
import { positionsIn } from '../../src/readers/schema/finding.ts';

/** A value without its places. Maps are lists of pairs, so that their order counts. */
type Plain = string | readonly Plain[] | { readonly map: readonly (readonly [string, Plain])[] };

function plain(value: Value | undefined): Plain {
  if (value === undefined || value.kind === 'text') return value?.text ?? '';
  if (value.kind === 'list') return value.items.map(plain);
  return { map: Array.from(value.entries, ([key, inner]) => [key, plain(inner)]) };
}

const map = (entries: Record<string, Plain>): Plain => ({ map: Object.entries(entries) });
const documentsOf = (text: string): Plain[] => parseYaml(text).documents.map(plain);

test.each([
  [
    'days and times',
    'd: 2027-03-04\nt: 19:30\ns: 9:05',
    map({ d: '2027-03-04', t: '19:30', s: '9:05' }),
  ],
  [
    'numbers and words',
    'a: 010\nb: no\nc: 1_000\nd: 1.10',
    map({ a: '010', b: 'no', c: '1_000', d: '1.10' }),
  ],
  ['nothing', 'a: ~\nb:\nc: null\nd: "~"', map({ a: '', b: '', c: '', d: '~' })],
  ['lists in curly brackets', '{a: [x, y], b}', map({ a: ['x', 'y'], b: '' })],
  ['an entry without a value', '-\n- b', ['', 'b']],
  ['a map in a list in brackets', '[a: b, c]', [map({ a: 'b' }), 'c']],
  [
    'merged maps',
    'a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3',
    map({ a: map({ x: '1', y: '2' }), b: map({ x: '1', y: '3' }) }),
  ],
  ['an anchor before a key', '&a k: v\nl:\n- *a', map({ k: 'v', l: ['k'] })],
  [
    'a quoted text that goes on with less indent',
    '- t: "An evening of\n  noises"',
    [map({ t: 'An evening of noises' })],
  ],
  ['block texts', 'a: |\n  x\n  y\nb: >-\n  x\n  y', map({ a: 'x\ny\n', b: 'x y' })],
  ['CRLF', 'a: x # note\r\nb: y #2 # 3\r\n', map({ a: 'x', b: 'y #2' })],
])('YAML is read as it is written: %s', (_, text, expected) => {
  expect(documentsOf(text)).toEqual([expected]);
});

test('keys keep their order and their zeros', () => {
  expect(documentsOf('2027: a\n2026: b\n10: c\n01: d')).toEqual([
    {
      map: [
        ['2027', 'a'],
        ['2026', 'b'],
        ['10', 'c'],
        ['01', 'd'],
      ],
    },
  ]);
});

test('several documents are several values', () => {
  expect(documentsOf('---\na: 1\n---\na: 2\n')).toEqual([map({ a: '1' }), map({ a: '2' })]);
  expect(documentsOf('# nothing yet\n')).toEqual(['']);
});

test('of a key that is there twice, the second counts, with both lines in the warning', () => {
  const text =
    '- title: Repair cafe\r\n  location: Library # side door\r\n  location: Workshop\r\n';
  const { documents, warnings } = parseYaml(text);
  expect(plain(documents[0])).toEqual([map({ title: 'Repair cafe', location: 'Workshop' })]);
  const [warning] = warnings;
  expect(warning?.problem).toEqual({ code: 'repeated-key', key: 'location' });
  expect(positionsIn(text)(warning?.offset ?? 0)).toEqual({ line: 3, column: 3 });
  expect(positionsIn(text)(warning?.first?.offset ?? 0)).toEqual({ line: 2, column: 3 });
});

/** Returns the reason why a parser refuses a text, with its place. */
function refusal(parse: (text: string) => unknown, text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { problem, offset } = error.finding;
    const { line, column } = positionsIn(text)(offset);
    return `${line}:${column} ${problem.code === 'bad-document' ? problem.reason : problem.code}`;
  }
  return 'accepted';
}

test.each([
  ['a:\n\t- b', '2:1 found a tab where YAML wants spaces; use spaces'],
  ['- title: Talk: part 2', '1:14 found ": " inside a text; put the text in quotes'],
  ['a: b\nt: "x\nb: 1', '2:4 found a quote that is not closed; close it'],
  ["t: 'x\nb: 1", '1:4 found a quote that is not closed; close it'],
  ['t: {{ x }}', '1:4 found {{ }} or a list outside quotes; put the whole value in quotes'],
  ['- a: x\n  t: {% x %}', '2:6 found {{ }} or {% %} outside quotes; put the value in quotes'],
  ['t: @home', '1:4 found a text that begins with @; put it in quotes'],
  [
    't: !ruby/object:Date\n  a: 1',
    '1:4 found the tag !ruby/object:Date; expected plain values; remove the tag',
  ],
  ['<<<<<<< HEAD\na: 1', '1:1 found the marks of a merge; choose one version'],
  ['['.repeat(200), '1:100 found values nested too deep; expected at most 100 levels'],
  [
    'a: [1,\nb: 2',
    '2:5 found text that is not YAML (unexpected end of the stream within a flow collection)',
  ],
])('YAML that is refused says where and what to do: %s', (text, expected) => {
  expect(refusal(parseYaml, text)).toBe(expected);
});

test('aliases cannot make a small text a huge one', () => {
  const lines = Array.from({ length: 9 }, (_, level) => {
    const inner = level === 0 ? 'x' : `*a${level - 1}`;
    return `  a${level}: &a${level} {${Array.from({ length: 10 }, (__, key) => `k${key}: ${inner}`).join(', ')}}`;
  });
  const text = `events:\n- title: x\n${lines.join('\n')}\n`;
  const [value] = parseYaml(text).documents;
  const document = { text, value: value as Value, facts: new Map(), body: '' };
  // Deeper values are no columns, so a row has at most a million of them.
  expect(selectDocumentRows([document], 'events')?.rows).toHaveLength(1);
  expect(refusal(parseYaml, `a: &a x\nb: [${'*a, '.repeat(1001)}]`)).toBe('accepted');
  expect(refusal(parseYaml, `a: &a {x: 1}\nb: [${'*a, '.repeat(1001)}]`)).toContain(
    'too many aliases',
  );
});

const toml = `title = "x"
[[events]]
title = 'A "q"'
date = 2027-02-28
time = 19:30
price = 1.10
tags = ["a", 'b']
place = { name = "H", geo.lat = 1 }
[[events]]
start = 2027-03-04 19:30:00+01:00
open = true
[events.place]
name = """
Hall"""
`;

test('TOML is read as it is written', () => {
  expect(parseToml(toml).documents.map(plain)).toEqual([
    map({
      title: 'x',
      events: [
        map({
          title: 'A "q"',
          date: '2027-02-28',
          time: '19:30',
          price: '1.10',
          tags: ['a', 'b'],
          place: map({ name: 'H', geo: map({ lat: '1' }) }),
        }),
        map({ start: '2027-03-04 19:30:00+01:00', open: 'true', place: map({ name: 'Hall' }) }),
      ],
    }),
  ]);
  expect(refusal(parseToml, 'a = 1\nday = 2027-02-30')).toMatch(
    /^2:\d+ found text that is not TOML \(Unexpected invalid date\)/,
  );
  expect(refusal(parseToml, 'a = 1\na = 2')).toMatch(/^2:1 found text that is not TOML/);
});

test('JSON is read as it is written', () => {
  expect(
    parseJsonDocument('{"2027":[1.10,true,null,"x"],"01":{"a":[]}}').documents.map(plain),
  ).toEqual([map({ '2027': ['1.10', 'true', '', 'x'], '01': map({ a: [] }) })]);
  expect(parseJsonDocument('{"a":1,"a":2}').warnings).toMatchObject([
    { problem: { code: 'repeated-key', key: 'a' }, offset: 7, first: { offset: 5 } },
  ]);
  expect(refusal(parseJsonDocument, '{"a":}')).toMatch(/^1:6 /);
});

test('front matter keeps its places, and pages without one are no events', () => {
  const page = readFrontMatter('---\ntitle: x\ndate: 2027-01-01\n---\nBody\n---\n');
  expect([plain(page?.data), page?.body]).toEqual([
    map({ title: 'x', date: '2027-01-01' }),
    'Body\n---\n',
  ]);
  const offsetOf = (text: string): number | undefined => {
    const data = readFrontMatter(text)?.data;
    return data?.kind === 'mapping' ? data.entries.get('title')?.offset : undefined;
  };
  expect(offsetOf('+++\ntitle = "x"\n+++\n')).toBe(12);
  const json = '{\n  "title": "x",\n  "at": {\n    "name": "y"\n  }\n}\nBody\n';
  for (const text of [json, `---json\n${json.replace('\nBody', '\n---\nBody')}`])
    expect(plain(readFrontMatter(text)?.data)).toEqual(map({ title: 'x', at: map({ name: 'y' }) }));
  expect(readFrontMatter(json)?.body).toBe('Body\n');
  expect(offsetOf('---toml\ntitle = "x"\n---\n')).toBe(16);
  expect(readFrontMatter('{{< shortcode >}}\n')).toBeNull();
  expect(readFrontMatter('# Title\n')).toBeNull();
  expect(plain(readFrontMatter('---\n---\n')?.data)).toEqual(map({}));
  expect(refusal(readFrontMatter, '---\ntitle: x\n')).toContain('without an end');
  expect(refusal(readFrontMatter, '---\r\ntitle: x\r\nt: a: b\r\n---\r\n')).toMatch(/^3:5 /);
});

/** Returns the cells of all rows of a YAML text. */
function cellsAt(text: string, path: string, names: readonly string[]): string[][] | undefined {
  const { documents } = parseYaml(text);
  const document: Document = {
    file: '',
    text,
    value: documents[0] as Value,
    facts: new Map(),
    body: '',
  };
  return selectDocumentRows([document], path)?.rows.map((row) =>
    names.map((name) => cellOf(row, name)?.text ?? '-'),
  );
}

test.each([
  ['a list', '- t: a\n- t: b', '', ['t'], [['a'], ['b']]],
  [
    'a list under a key',
    'updated: 1\nupcoming:\n- t: a\npast:\n- t: b',
    'upcoming',
    ['t'],
    [['a']],
  ],
  [
    'the list under each key',
    'n: 1\n2027:\n- t: a\n2026:\n- t: b',
    '*',
    ['t', '{key}'],
    [
      ['a', '2027'],
      ['b', '2026'],
    ],
  ],
  [
    'the map under each key',
    '10: {t: a}\n01: {t: b}',
    '{id}',
    ['t', '{id}'],
    [
      ['a', '10'],
      ['b', '01'],
    ],
  ],
  [
    'lists in a list',
    '- title: S\n  confs:\n  - year: 1\n  - year: 2',
    '*.confs',
    ['{^title} {year}'],
    [['S 1'], ['S 2']],
  ],
  [
    'lists in a list under a key',
    'days:\n- date: d1\n  room: {name: R}\n  sessions:\n  - t: a',
    'days.sessions',
    ['t', '{^date}', '{^room.name}'],
    [['a', 'd1', 'R']],
  ],
  [
    'lists of texts and maps of values',
    '- a: [x, ~, y]\n  b: {c: d}',
    '',
    ['a', 'b.c'],
    [['x, y', 'd']],
  ],
  ['an empty list', 'events: []', 'events', [], []],
  [
    'drafts',
    '- {t: a, draft: true}\n- {t: b, published: no}\n- {t: c, hidden: TRUE}\n- {t: d, published: 2027-01-01}\n- {t: e, headless: true}\n- {t: f, build: {render: never}}',
    '',
    ['t'],
    [['d']],
  ],
])('rows are where the mapping says: %s', (_, text, path, names, expected) => {
  expect(cellsAt(text, path, names)).toEqual(expected);
});

test('a path that leads nowhere has no rows', () => {
  expect(cellsAt('events: []', 'event', [])).toBeUndefined();
  expect(cellsAt('events: x', 'events', [])).toBeUndefined();
});

test('a value that a site generator fills is left out with a warning at its place', () => {
  const text = '- title: a\n  url: "{{ site.url }}/x"\n';
  const { documents } = parseYaml(text);
  const document = { file: 'f', text, value: documents[0] as Value, facts: new Map(), body: '' };
  const read = selectDocumentRows([document], '');
  expect(read?.warnings).toEqual([
    { problem: { code: 'template-text', key: 'url' }, file: 'f', offset: text.indexOf('"') },
  ]);
  const [row] = read?.rows ?? [];
  const title = row && cellOf(row, 'title');
  expect(title && spotOf(document, title)).toEqual({ file: 'f', offset: text.indexOf('a\n') });
});

const page = (title: string): string => `---\ntitle: ${title}\n---\n`;

/** Returns the titles and ids of the events of a folder, and what is passed over. */
function readFolder(files: Record<string, string>, language: string | null = null) {
  const list = Object.entries(files).map(([file, text]) => ({ file, text }));
  const { documents, passedOver, findings, languages } = readEntries(list, 'events', language);
  const events = documents.map(({ file, facts }) => [
    file,
    facts.get('id'),
    facts.get('file.date'),
  ]);
  return { events, passedOver: Object.fromEntries(passedOver), findings, languages };
}

test('each page of a folder is an event, and its name is the id', () => {
  expect(
    readFolder({
      '_index.md': page('Events'),
      'index.html': page('Events'),
      '2027-02-11-book-evening.md': page('Book evening'),
      '2027/april-meeting.md': page('April'),
      'fair/index.md': page('Fair'),
      '2026/talk.md': page('Talk'),
      '2027/talk.md': page('Talk'),
      'archetypes/event.md': page('{{ x }}'),
      'events.json': '{"tags":["event"]}',
      'events.11tydata.js.json': '{}',
      'README.md': 'How to',
      'notes.md': 'no front matter',
    }),
  ).toEqual({
    events: [
      ['2027-02-11-book-evening.md', '2027-02-11-book-evening', '2027-02-11'],
      ['2027/april-meeting.md', 'april-meeting', ''],
      ['fair/index.md', 'fair', ''],
      ['2026/talk.md', '2026-talk', ''],
      ['2027/talk.md', '2027-talk', ''],
    ],
    passedOver: { lists: 2, templates: 2, settings: 2, 'pages without front matter': 1 },
    findings: [],
    languages: [],
  });
});

test('without pages, each file of data is an event', () => {
  const { events } = readFolder({
    'a.yml': 'title: a',
    'b.json': '{"title":"b"}',
    'c.toml': 'title = "c"',
  });
  expect(events.map(([file, id]) => [file, id])).toEqual([
    ['a.yml', 'a'],
    ['b.json', 'b'],
    ['c.toml', 'c'],
  ]);
});

test('an event in several languages is read once', () => {
  const files = {
    'a/index.md': page('a'),
    'a/index.de.md': page('a'),
    'b.fr.md': page('b'),
    'b.de.md': page('b'),
  };
  expect(readFolder(files, 'de').events.map(([file]) => file)).toEqual([
    'a/index.de.md',
    'b.de.md',
  ]);
  expect(readFolder(files)).toMatchObject({
    languages: ['de', 'fr'],
    passedOver: { 'other languages': 2 },
  });
  const folders = { 'de/a.md': page('a'), 'fr/a.md': page('a'), 'fr/b.md': page('b') };
  expect(readFolder(folders).languages).toEqual(['de', 'fr']);
  expect(readFolder(folders, 'DE').events.map(([file, id]) => [file, id])).toEqual([
    ['de/a.md', 'a'],
    ['fr/b.md', 'b'],
  ]);
  const states = { 'us/a.md': page('a'), 'zz/a.md': page('a') };
  expect(readFolder(states).languages).toEqual([]);
  const pages = { 'a.md': '---\nlang: de\n---\n', 'b.md': '---\nlocale: fr\n---\n' };
  expect(readFolder(pages).languages).toEqual(['de', 'fr']);
  expect(readFolder(pages, 'fr').events.map(([file]) => file)).toEqual(['b.md']);
});

test('a day that differs from that in the name of the file is a warning, in any order', () => {
  const genre = { id: 'g-c', name: 'G', category: 'c' };
  const mapping = { columns: { title: 'title', day: 'starts' } };
  const file = { stem: 'a', genre, now: 0, name: null, url: null, mapping };
  const files = ['02/12/2027', '02/25/2027'].map((day, index) => ({
    file: `2027-02-${index === 0 ? '11' : '25'}-a.md`,
    text: `---\ntitle: A\nday: ${day}\n---\n`,
  }));
  expect(readPages(files, file).warnings).toMatchObject([
    { problem: { code: 'other-day', start: '02/12/2027', day: '2027-02-11' } },
  ]);
});

test('a page that cannot be read does not hide the others', () => {
  const { events, findings } = readFolder({ 'a.md': page('a'), 'b.md': '---\nt: a: b\n---\n' });
  expect(events).toHaveLength(1);
  expect(findings).toMatchObject([{ file: 'b.md' }]);
});

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const offset = fc.constantFrom('', 'Z', '+01:00', '-03:30');
const moment = fc.oneof(
  day,
  fc.tuple(day, clock, offset).map(([date, time, zone]) => `${date}T${time}:00${zone}`),
  fc.tuple(day, clock, offset).map(([date, time, zone]) => `${date}T${time}:30${zone}`),
);

/** Returns the starts of the events that a container of one event holds. */
function startsIn(container: (starts: string) => string, kind: string, starts: string): unknown {
  const genre = { id: 'g-c', name: 'G', category: 'c', zone: 'Etc/UTC' };
  const mapping = { columns: { title: 'title', starts: 'starts' } };
  const file = { stem: 'a', genre, now: 0, name: null, url: null, mapping };
  const text = container(starts);
  const readings: Record<string, () => TextReading> = {
    yaml: () => readYaml(text, file),
    toml: () => readToml(text, file),
    page: () => readPages([{ file: 'a.md', text }], file),
  };
  return readings[kind]?.().subjects.map(({ source }) =>
    source.events?.map((event) => event.starts),
  );
}

test.each([
  ['yaml', (starts: string) => `- title: a\n  starts: ${starts}\n`],
  ['yaml', (starts: string) => `{events: [{title: a, starts: ${starts} }]}`],
  ['toml', (starts: string) => `[[events]]\ntitle = "a"\nstarts = ${starts}\n`],
  ['page', (starts: string) => `---\ntitle: a\nstarts: ${starts}\n---\n`],
  ['page', (starts: string) => `+++\ntitle = "a"\nstarts = ${starts}\n+++\n`],
])('quoted and unquoted forms of a date are one event: %s', (kind, container) => {
  fc.assert(
    fc.property(moment, (starts) => {
      const quoted = startsIn(container, kind, `"${starts}"`);
      expect(startsIn(container, kind, starts)).toEqual(quoted);
      const [[read = ''] = []] = quoted as string[][];
      expect([starts, starts.replace(/(?<=T..:..):00/, '')]).toContain(read);
    }),
  );
});

const text = fc.string({ unit: 'grapheme-ascii', maxLength: 20 });

test('a list with starts that the rows of a mapping leave out is counted', () => {
  const lists = 'a:\n- {title: A, date: 2027-03-05}\n';
  const more = 'b:\n- {title: B, date: 2027-03-06}\npast:\n- {title: C, date: 2026-03-06}\n';
  const columns = { title: 'title', date: 'starts' } as const;
  const unpublishedOf = (rows: string) => {
    const mapping = { rows, columns, subject: 'S' };
    const file = { stem: 's', genre: { id: 'g-c', name: 'G', category: 'c' }, now: 0, name: null };
    return [...(readYaml(lists + more, { ...file, url: null, mapping }).unpublished ?? [])];
  };
  expect(unpublishedOf('a')).toEqual([['rows at "b"', 1]]);
  expect(unpublishedOf('*')).toEqual([]);
});

test('whatever JSON.stringify writes, YAML and JSON read alike', () => {
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        text.filter((key) => key !== '<<' && key !== '__proto__'),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  })).value;
  fc.assert(
    fc.property(value, (written) => {
      const json = JSON.stringify(written);
      expect(parseYaml(json).documents.map(plain)).toEqual(
        parseJsonDocument(json).documents.map(plain),
      );
    }),
  );
});
