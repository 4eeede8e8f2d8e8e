import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { manifestText, parseManifest } from '../../src/api/manifest.ts';

const path = fc.stringMatching(/^(?:[a-z0-9=-]{1,6}\/){0,3}[a-z0-9-]{1,6}\.(?:json|ics|html)$/);
const entry = fc.record({ bytes: fc.nat(), sha256: fc.stringMatching(/^[0-9a-f]{64}$/) });
const files = fc.dictionary(path, entry, { maxKeys: 40, noNullPrototype: true });

test('a manifest is JSON that lists the files sorted by path', () => {
  fc.assert(
    fc.property(files, (all) => {
      const sorted = Object.fromEntries(
        Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      );
      const text = manifestText('almanac/1.0.0', new Map(Object.entries(all)));
      expect(text).toBe(`${JSON.stringify({ generator: 'almanac/1.0.0', files: sorted })}\n`);
      expect(parseManifest(text)).toEqual({ generator: 'almanac/1.0.0', files: all });
    }),
  );
});

const valid = { bytes: 1, sha256: '0'.repeat(64) };
const manifestOf = (listed: object): string =>
  JSON.stringify({ generator: 'almanac/1.0.0', files: listed });

test.each([
  ['cut short', '{"generator":"almanac/1.0.0","files":{}'],
  ['of another program', '{"generator":"other/1.0.0","files":{}}'],
  ['without files', '{"generator":"almanac/1.0.0"}'],
  ['with a list of files', manifestOf([])],
  ['no object', 'null'],
  ['with a path that leaves the site', manifestOf({ '../../etc/hostname': valid })],
  ['with a path that leaves the site in its middle', manifestOf({ 'api/../../x': valid })],
  ['with an absolute path', manifestOf({ '/etc/hostname': valid })],
  ['with backslashes', manifestOf({ '..\\x': valid })],
  ['with a line break in a path', manifestOf({ 'a\nb': valid })],
  ['with an empty path', manifestOf({ '': valid })],
  ['with a negative size', manifestOf({ a: { ...valid, bytes: -1 } })],
  ['with a size that is no number', manifestOf({ a: { ...valid, bytes: '1' } })],
  ['with a hash that is none', manifestOf({ a: { ...valid, sha256: {} } })],
  ['with an entry that is none', manifestOf({ a: null })],
])('refuses a manifest that is %s', (_, text) => {
  expect(parseManifest(text)).toBeNull();
});
