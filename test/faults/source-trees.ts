import fc from 'fast-check';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTree } from '../setup/folders.ts';
import { readSections } from '../setup/sections.ts';

/**
 * A data folder: the text of each file by path, or `base64:` and bytes. Files that cannot exist are
 * left out.
 */
export type SourceTree = Readonly<Record<string, string>>;

/**
 * Texts that try to escape from their context: a terminal, HTML, a calendar, a header, JSON or a
 * path.
 */
export const hostileTexts: readonly string[] = [
  '\u001b[31mred\u001b]0;title\u0007',
  '\u009b31mred',
  '\u0085next\u2028line',
  '\u202egnp.exe',
  'a\r\nBEGIN:VEVENT\r\nSUMMARY:b',
  'a\nX-Injected: yes',
  '<script>alert(1)</script>',
  '</script><img src=x onerror=alert(1)>',
  '"\'><svg/onload=alert(1)>&amp;',
  '{{constructor}} ${7*7} %s %n',
  '\ud800',
  '\ufeffmark',
  '\u0000',
  '__proto__',
  ' outer ',
  '',
  'é'.repeat(199),
  '😀'.repeat(201),
  ',;:\\n\\',
  '=HYPERLINK("https://example.org")',
];

const fixtures = join(import.meta.dirname, '../fixtures');

/** The data folders of other tests: catalogues, tables with their mappings, and calendars. */
const corpus: readonly SourceTree[] = [
  ...readdirSync(join(fixtures, 'valid')).map((name) =>
    treeOf(readTree(join(fixtures, 'valid', name, 'data'))),
  ),
  ...readdirSync(join(fixtures, 'tables')).map((name) =>
    treeOf(readSections(join(fixtures, 'tables', name)), 'table.', 'c/g/table.'),
  ),
];

/**
 * Returns the files whose path begins with a text, which another replaces, and the names of all
 * their folders.
 */
function treeOf(files: ReadonlyMap<string, Buffer | string>, start = '', instead = ''): SourceTree {
  const tree: Record<string, string> = {};
  for (const [path, content] of files)
    if (path.startsWith(start)) tree[instead + path.slice(start.length)] = String(content);
  for (const [category, genre, file] of Object.keys(tree).map((path) => path.split('/'))) {
    if (genre !== undefined) tree[`${category}/category.json`] ??= '{ "name": "Category" }';
    if (file !== undefined) tree[`${category}/${genre}/genre.json`] ??= '{ "name": "Genre" }';
  }
  tree['service.json'] ??= '{ "name": "Service", "license": "Free." }';
  return tree;
}

type Change = (text: string) => string;

const hostile = fc.constantFrom(...hostileTexts);
const odd = fc.oneof(
  hostile,
  fc.constantFrom('A', '2027-05-06', 'Asia/Tokyo', 'https://example.org/a', '12.5', 'true'),
  fc.string({ unit: 'binary', maxLength: 260 }),
  fc.constantFrom(
    '2027-02-29',
    '0000-01-01',
    '2027-03-28T02:30',
    '2027-Q3',
    'soon',
    'Europe/Berlin',
    'Etc/GMT+12',
    'utc',
  ),
  fc.constantFrom(
    'https://a b',
    'javascript:alert(1)',
    'RRULE:FREQ=DAILY;COUNT=99999999',
    'DTSTART:99999999T999999',
  ),
  fc.constantFrom(
    'BEGIN:VEVENT',
    'END:VEVENT',
    'BEGIN:VTIMEZONE',
    ' folded',
    'X;A="b:c',
    '../x',
    'x'.repeat(65),
  ),
);

/** Replaces one match of a pattern. */
function replacing(pattern: RegExp, values: fc.Arbitrary<string | Change>): fc.Arbitrary<Change> {
  return fc.tuple(fc.nat(), values).map(([at, value]) => (text) => {
    const matches = [...text.matchAll(pattern)];
    const match = matches[at % matches.length];
    if (match === undefined) return text;
    const written = typeof value === 'string' ? value : value(match[0]);
    return text.slice(0, match.index) + written + text.slice(match.index + match[0].length);
  });
}

/** Replaces a value of JSON. */
const otherValue = replacing(
  /(?<=[:[,]\s*)(?:"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d[\d.e+-]*|true|false|null)/g,
  fc.oneof(odd, fc.jsonValue({ maxDepth: 2 })).map((value) => JSON.stringify(value)),
);

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: otherValue },
  // A cell, or what follows a colon or a semicolon in a calendar.
  { weight: 3, arbitrary: replacing(/(?<=[,;:]|^)[^,;:\r\n]+/gm, odd) },
  // A line is gone, comes twice, or is another.
  {
    weight: 3,
    arbitrary: replacing(
      /^.*\r?\n/gm,
      fc.oneof(
        fc.constantFrom<string | Change>('', (line) => line + line),
        odd,
      ),
    ),
  },
  fc.nat().map(
    (at): Change =>
      (text) =>
        text.slice(0, at % (text.length + 1)),
  ),
  fc.constantFrom<Change>(
    (text) => `\ufeff${text}`,
    (text) => text.replaceAll('\n', '\r\n'),
    (text) => text.replace('{', '{"name":"twice",'),
  ),
  fc.integer({ min: 1, max: 5000 }).map((depth) => () => '['.repeat(depth)),
  fc
    .uint8Array({ maxLength: 40 })
    .map((bytes) => () => `base64:${Buffer.from(bytes).toString('base64')}`),
);

const oddNames = fc.constantFrom('TV', 'a--b', '.a', '..', 'README.md', '.git');

/**
 * Generates data folders: one of the corpus, with up to two changes. About half of them are valid.
 */
export const sourceTree: fc.Arbitrary<SourceTree> = fc
  .tuple(
    fc.constantFrom(...corpus),
    fc.array(fc.tuple(fc.nat(), change), { maxLength: 2 }),
    fc.oneof(
      { weight: 9, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.tuple(fc.nat(), fc.oneof(odd, oddNames)) },
    ),
  )
  .map(([tree, changes, renaming]) => {
    const files = Object.entries(tree);
    for (const [at, changed] of changes) {
      const file = files[at % files.length];
      if (file !== undefined) file[1] = changed(file[1]);
    }
    const renamed = files[(renaming?.[0] ?? 0) % files.length];
    if (renaming !== null && renamed !== undefined)
      renamed[0] = join(dirname(renamed[0]), renaming[1]);
    return Object.fromEntries(files);
  });

const subjects = corpus
  .flatMap((tree) => Object.entries(tree))
  .flatMap(([path, text]) =>
    path.endsWith('.json') && /^\{[^]*"events"/.test(text) && isJson(text) ? text : [],
  );

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Generates the values of subject files, with up to two changes. */
export const sourceSubject: fc.Arbitrary<unknown> = fc
  .tuple(fc.constantFrom(...subjects), fc.array(otherValue, { maxLength: 2 }))
  .map(([text, changes]) => changes.reduce((changed, next) => next(changed), text))
  .filter(isJson)
  .map((text) => JSON.parse(text) as unknown);

/** Writes a tree, except files outside the folder and files that the file system refuses. */
export function writeSources(folder: string, tree: SourceTree): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(tree)) {
    const target = join(folder, path);
    if (!target.startsWith(join(folder, '/'))) continue;
    try {
      mkdirSync(dirname(target), { recursive: true });
      const [, base64] = /^base64:(.*)$/s.exec(content) ?? [];
      writeFileSync(target, base64 === undefined ? content : Buffer.from(base64, 'base64'));
    } catch {
      // The name contains NUL or is too long, or a file is in place of a folder.
    }
  }
}
