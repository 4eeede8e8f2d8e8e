import { expect, test } from 'vitest';
import { decode } from '../../src/source/text.ts';

test.each<[string, number[] | string, number, number]>([
  ['Latin-1', 'ab\n\u00e9\u00e8', 2, 1],
  ['a cut character', [0x61, 0xc3], 1, 2],
  ['a cut character before others', [0x61, 0xe2, 0x82, 0x61], 1, 2],
  ['a sequence that begins like a replacement character', [0x61, 0xef, 0xbf, 0x61], 1, 2],
  ['a replacement character of the text', [0xef, 0xbf, 0xbd, 0x0a, 0xef, 0xbf, 0xbd, 0xff], 2, 2],
  ['characters of several bytes before it', [...Buffer.from('é🦉\r\né🦉'), 0x80], 2, 4],
  ['a byte order mark before it', [0xef, 0xbb, 0xbf, 0x61, 0x80], 1, 2],
  ['UTF-16', [0xff, 0xfe, 0x61, 0x00], 1, 1],
])('finds the first byte that is not UTF-8: %s', (_, content, line, column) => {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : Buffer.from(content);
  expect(decode(bytes, () => 'a.csv')).toMatchObject({ code: 'not-utf8', place: { file: 'a.csv', line, column } });
});
