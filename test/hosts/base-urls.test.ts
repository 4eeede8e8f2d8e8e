import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mountOf, readBaseUrl } from '../../src/api/address.ts';
import { hostNames } from '../../src/hosts/table.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { sample } from '../setup/sample.ts';
import { allowed, filesFor } from './base-urls.ts';

/**
 * Returns what gives a file its structure: brackets, quotation marks, separators and white space.
 */
function structureOf(text: string): string {
  // Regular expressions escape characters of the path.
  return text
    .replace(/\\x[0-9a-f]{2}|\\\\[.*+]/g, '')
    .replace(/[^\s"'`<>(){}[\]|\\^$;#?%]|\\?%[0-9A-F]{2}/g, '');
}

const refused = [
  // In the path, as it is and percent-encoded.
  ...[...'"\'`<>(){}[]|\\^$;:?#% \n\r\t\u0000\u007f\u00a0\u2028\u202e\u200b'].flatMap(
    (character) => [
      `https://example.org/a${character}b`,
      `https://example.org/a${percent(character)}b`,
      `https://example.org/a${percent(percent(character)).toLowerCase()}b`,
    ],
  ),
  'example.org',
  'ftp://example.org',
  `https://example.org/${'a'.repeat(2000)}`,
  ...[
    '%',
    '%z',
    '%ff',
    '%C3',
    'a%2fb',
    'a%2Fb',
    '.',
    '..',
    '%2e%2e',
    '.%2E',
    'a/../b',
    'a//b',
    '/b',
  ].map((path) => `https://example.org/${path}/c`),
  // In the host, where the parser of URLs decodes and replaces characters.
  ...[
    'a;b',
    'a%3Bb',
    'a%7B%7Db',
    'a；b',
    'a＄b',
    "a'b",
    'a,b',
    '~a',
    '*',
    'a%61',
    '@a',
    ':@a',
    'u:p@a',
  ].map((host) => `https://${host}.example`),
  ...['a\tb', 'a\nb', 'a b', 'a\u00adb', 'a\\b', 'a?b', 'a#b', 'a..b', 'a.', ''].map(
    (host) => `https://${host}/c`,
  ),
];

/** Percent-encodes every byte, unlike `encodeURIComponent`. */
function percent(text: string): string {
  return Buffer.from(text).toString('hex').replace(/../g, '%$&').toUpperCase();
}

test('a base URL with a character that a configuration interprets is refused, percent-encoded or not', () => {
  expect(refused.filter((written) => readBaseUrl(written) !== null)).toEqual([]);
});

test.each(allowed)('the base URL %j is allowed', (written) => {
  expect(readBaseUrl(`${written}/`)).toBe(written);
});

const hostile = fc.oneof(
  fc.constantFrom(
    ...'"\'`<>(){}[]|\\^$;:?#% \n\r\t\u0000\u2028\u202e.,*~@&=!+-_/；｛＄',
    '..',
    '{{mount}}',
    '$&',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b1', 'é', '%C3%A9', '-', '.x', '+') },
  { weight: 1, arbitrary: hostile },
  { weight: 1, arbitrary: hostile.map(percent) },
  { weight: 1, arbitrary: hostile.map((text) => percent(percent(text))) },
);
const text = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
const baseUrls = fc
  .tuple(fc.oneof(fc.constant('example.org'), text), fc.array(text, { maxLength: 3 }))
  .map(([host, segments]) => [`https://${host}`, ...segments].join('/'));

test('no base URL changes the structure of a file of a host', async () => {
  const plain = new Map<string, string>();
  const structureFor = async (name: string, baseUrl: string): Promise<string> =>
    Object.entries(await filesFor(name, baseUrl))
      .map(
        ([file, content]) => `${file}:${content.length > 20_000 ? content : structureOf(content)}`,
      )
      .join('\n');
  for (const name of hostNames) {
    for (const mount of ['', '/plain']) {
      plain.set(name + mount, await structureFor(name, `https://plain.example${mount}`));
    }
  }
  let accepted = 0;
  const property = fc.asyncProperty(baseUrls, async (written) => {
    const baseUrl = readBaseUrl(written);
    if (baseUrl === null) return;
    accepted++;
    const mount = mountOf(baseUrl) === '' ? '' : '/plain';
    for (const name of hostNames)
      expect(await structureFor(name, baseUrl), name).toBe(plain.get(name + mount));
  });
  await fc.assert(property, { numRuns: 400 });
  expect(accepted).toBeGreaterThan(40);
});

test('a base URL with encoded quotation marks is a problem of the data, so no configuration is written', async () => {
  const injected =
    'a%22%20%7B%20return%20204%3B%20%7D%20location%20~%20/etc/%20%7B%20root%20/%3B%20%7D%20x%20%22';
  const service = { name: 'Sample', license: 'Free.', base_url: `https://example.org/${injected}` };
  const cwd = writeTree(tempFolder(), { ...sample, 'data/service.json': service });
  for (const command of [['check'], ['build'], ['host', 'nginx']]) {
    const { code, stdout } = await runAlmanac([...command, '--json'], { cwd });
    expect([command, code, JSON.parse(stdout)]).toMatchObject([
      command,
      1,
      { problems: [{ code: 'bad-base-url' }] },
    ]);
  }
});
