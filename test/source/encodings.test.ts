import { expect, test } from 'vitest';
import { decodeTable } from '../../src/source/text.ts';

/* The bytes of calendars, tables and pages, which programs fold and cut where they should not. */
const bytesOf = (...parts: readonly (string | number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
  );

function decoded(...parts: readonly (string | number[])[]): unknown[] {
  const warnings: unknown[] = [];
  const text = decodeTable(
    bytesOf(...parts),
    () => 'a.ics',
    ({ code, place }) => warnings.push([code, place?.line]),
  );
  return [text, ...warnings];
}

const fold = '\r\n ';

test.each<[string, readonly (string | number[])[], unknown[]]>([
  ['a split ö', ['S', [0xc3], fold, [0xb6], 'hne für'], [`Sö${fold}hne für`]],
  ['an emoji split after a byte', [[0xf0], fold, [0x9f, 0x8e, 0x89], '!'], [`🎉${fold}!`]],
  ['an emoji split in half', [[0xf0, 0x9f], '\n\t', [0x8e, 0x89, 0xc3, 0xb6]], ['🎉\n\tö']],
  [
    'two split characters',
    [[0xc3], fold, [0xb6], [0xe2, 0x82], fold, [0xac]],
    [`ö${fold}€${fold}`],
  ],
  ['a byte that is none', ['Köln ', [0xff], ' ok'], ['Köln \ufffd ok', ['bad-bytes', 1]]],
  ['a character cut off', ['a\nKöln ', [0xc3]], ['a\nKöln \ufffd', ['bad-bytes', 2]]],
  [
    'a split character and a bad byte',
    [[0xc3], fold, [0xb6, 0xff]],
    [`ö${fold}\ufffd`, ['bad-bytes', 1]],
  ],
  ['Windows-1252', ['K', [0xf6], 'ln ', [0x80]], ['Köln €', ['guessed-encoding', 1]]],
  [
    'Windows-1252 at the end of a line',
    ['caf', [0xe9], '\n  bar'],
    ['café\n  bar', ['guessed-encoding', 1]],
  ],
  ['a mark, and a bad byte', ['\ufeffKöln', [0xff]], ['Köln\ufffd', ['bad-bytes', 1]]],
])('reads %s', (_, parts, expected) => {
  expect(decoded(...parts)).toEqual(expected);
});
