import { columns, required } from '../../src/readers/table/columns.ts';
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cellOffset, openTable, readRows, type TextRow } from '../../src/readers/table/cells.ts';
import { readTable } from '../setup/readers.ts';
import type { TextFinding } from '../../src/readers/schema/finding.ts';
import type { SourceFile, TextReading } from '../../src/readers/schema/reading.ts';

test('every field of an event is a column and is in docs/sources.md', () => {
  const [missing] = read('url\n').findings;
  expect(missing?.problem).toMatchObject({ code: 'missing-column', required });
  const page = readFileSync(join(import.meta.dirname, '../../docs/sources.md'), 'utf8');
  const [, section = ''] = /^## Use a table\n(.*?)^## /ms.exec(page) ?? [];
  expect(columns.filter((column) => !section.includes(`\`${column}\``))).toEqual([]);
});

test('accepts column names in any letter case', () => {
  const { subjects, findings } = read('SUBJECT,Title,Starts\nClub,One,2027-01-01\n');
  expect([subjects[0]?.upcoming.length, findings]).toEqual([1, []]);
  expect(placesIn('subject,Subject,title,starts\n')).toEqual([['repeated-column', 'Subject']]);
});

test('reports unknown columns only among the first 50', () => {
  const { findings } = read(
    ['subject', 'title', 'starts', ...Array.from({ length: 99 }, (_, at) => `x${at}`)].join(),
  );
  expect(
    findings.map(({ problem }) => problem.code === 'unmapped-columns' && problem.columns),
  ).toEqual([Array.from({ length: 47 }, (_, at) => `x${at}`)]);
});

test.each([
  ['a quotation mark inside a cell', 'A,', 'C"x,2027'],
  ['a quotation mark that is not closed', 'A,', '"C,2027'],
  ['text after a closing quotation mark', 'A,', '"C"x,2027'],
  ['text after the closing quotation mark of the first cell', '', '"C"x,2027'],
])('reports %s at its cell in any row', (_, left, bad) => {
  const rows = [
    'Club,One,2027',
    'Größe 🦉,Zwei,2027',
    '"a ""b"", c","two\nlines, ü",2027',
    '',
    'A,B,2027',
  ];
  for (const newline of ['\n', '\r\n']) {
    for (let count = 0; count <= 12; count++) {
      const good = Array.from({ length: count }, (__, index) => rows[index % rows.length]);
      const before = ['subject,title,starts', ...good, ''].join(newline);
      const fault = readRows(before + left + bad) as TextFinding;
      expect(fault.offset).toBe(before.length + left.length);
    }
  }
});

const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', ',', '"', '\n', '\r\n', 'a"b', ' x ', 'ü,🦉', '\ufeffx', '\u3000x', '\u00a0'),
);

test('reads any table written as in RFC 4180, and finds the offset of every cell', () => {
  const table = fc
    .integer({ min: 2, max: 5 })
    .chain((width) =>
      fc.tuple(
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }),
        fc.constantFrom('\n', '\r\n'),
        fc.infiniteStream(fc.boolean()),
      ),
    );
  fc.assert(
    fc.property(table, ([rows, newline, isQuoted]) => {
      const write = (value: string): string =>
        /[",\r\n]/.test(value) || isQuoted.next().value
          ? `"${value.replaceAll('"', '""')}"`
          : value;
      const quoted = rows.map((row) => row.map(write));
      const text = quoted.map((row) => row.join(',') + newline).join('');
      const parsed = readRows(text) as TextRow[];
      expect(trimmed(parsed.map(({ cells }) => cells))).toEqual(trimmed(rows));
      parsed.forEach(({ offset }, index) => {
        expect(text.startsWith(quoted[index]?.join(',') ?? '?', offset)).toBe(true);
        const starts =
          quoted[index]?.map(
            (_, column) => quoted[index]?.slice(0, column).join(',').length ?? 0,
          ) ?? [];
        const found = starts.map((_, column) => cellOffset(text, offset, column) - offset);
        expect(found).toEqual(starts.map((length, column) => length + (column === 0 ? 0 : 1)));
      });
    }),
  );
});

function read(text: string, options: Partial<SourceFile> = {}): TextReading {
  const genre = { id: 'chess-games', name: 'Chess', category: 'games' };
  return readTable(text, { stem: 'table', genre, now: 0, name: null, url: null, ...options });
}

/** Returns the code of each problem and the text of the cell at its place. */
function placesIn(text: string): unknown[] {
  return read(text).findings.map(({ problem, offset }) => [
    problem.code,
    text.slice(offset).split(/[,\r]/)[0],
  ]);
}

/**
 * Returns rows without white space around their cells, and without rows of nothing else, which
 * readers ignore.
 */
function trimmed(rows: readonly (readonly string[])[]): string[][] {
  return rows
    .map((cells) => cells.map((one) => one.trim()))
    .filter((cells) => cells.length > 1 || cells[0] !== '');
}

test('a table has at most 100,000 rows below its header', () => {
  const rowsOf = (count: number) =>
    openTable(`Our dates\ntitle,starts\n${'A,2027-01-01\n'.repeat(count)}`, {
      mapping: undefined,
      findHeader: () => 1,
    });
  expect(rowsOf(100_000)).toMatchObject({ names: ['title', 'starts'], above: 1 });
  expect(rowsOf(100_001)).toMatchObject({ problem: { code: 'bad-table' } });
});
