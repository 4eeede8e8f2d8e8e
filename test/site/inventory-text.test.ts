import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readListed } from '../../src/site/claim.ts';
import type { Inventory } from '../../src/api/documents.ts';
import { bytesIn, inventoryText, lookInto } from '../../src/site/inventory-text.ts';
import { filesIn, linesOf, openLedger } from '../../src/site/ledger.ts';

const path = fc.stringMatching(/^(?:[a-z0-9=-]{1,6}\/){0,3}[a-z0-9-]{1,6}\.(?:json|ics|html)$/);
const entry = fc.record({
  bytes: fc.nat(),
  sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
});
const files = fc.dictionary(path, entry, { minKeys: 1, maxKeys: 40, noNullPrototype: true });

/** An inventory, its entries taken down by two ledgers of which one takes over the other. */
function inventoryOf(all: Inventory['files'], isOther: (index: number) => boolean = () => false): string {
  const [ledger, other] = [openLedger(), openLedger()];
  for (const [index, [one, known]] of Object.entries(all).entries()) (isOther(index) ? other : ledger).note(one, known);
  ledger.include(other.entries());
  expect(filesIn(ledger.entries())).toEqual(all);
  return inventoryText('almanac/1.0.0', linesOf(ledger.entries()));
}

test('an inventory is the JSON of its files in the order of their paths, whoever took them down', () => {
  fc.assert(
    fc.property(files, fc.func(fc.boolean()), (all, isOther) => {
      const sorted = Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      const text = inventoryOf(all, isOther);
      expect(text).toBe(`${JSON.stringify({ generator: 'almanac/1.0.0', files: sorted })}\n`);
    }),
  );
});

test('entries fill several pages, and none is lost; each tells how large its file is', () => {
  const all = Object.fromEntries(Array.from({ length: 2000 }, (_, bytes) => [`${bytes}/é.json`, { bytes, sha256 }]));
  const ledger = openLedger();
  for (const [one, known] of Object.entries(all)) ledger.note(one, known);
  expect(ledger.entries().length).toBeGreaterThan(2);
  expect(filesIn(ledger.entries())).toEqual(all);
  expect(linesOf(ledger.entries()).map(bytesIn)).toEqual(Object.values(all).map(({ bytes }) => bytes));
  expect(filesIn(openLedger().entries())).toEqual({});
});

test('every file that an inventory lists is found in its text, and no other', () => {
  fc.assert(
    fc.property(files, path, (all, other) => {
      const listed = lookInto(inventoryOf(all));
      for (const one of [...Object.keys(all), other, '', 'files', '__proto__', Object.keys(all)[0]?.slice(1) ?? '']) {
        expect(listed?.has(one)).toBe(Object.hasOwn(all, one));
      }
    }),
  );
});

const sha256 = 'a'.repeat(64);
const whole = inventoryOf({ 'a.json': { bytes: 1, sha256 }, 'b.json': { bytes: 2, sha256 } });

test.each([
  ['is cut anywhere', () => Array.from({ length: whole.length }, (_, length) => whole.slice(0, length))],
  ['holds more', () => [`${whole}{}`, whole.replace('}}\n', '},"more":1}\n'), whole.replace(',"b', ',,"b')]],
  ['has other marks', () => [whole.replace(',"b', '}"b'), whole.replace('}}}', '}}'), whole.replace('a.json', 'a\n')]],
  ['has numbers that are none', () => [whole.replace('"bytes":1', '"bytes":01')]],
  ['has another order', () => [whole.replace('a.json', 'c.json'), whole.replace('a.json', 'b.json')]],
  ['is of another program', () => [whole.replace('almanac/', 'other/')]],
])('a text that %s is not looked into', (_, texts) => {
  for (const text of texts()) expect(lookInto(text)).toBeNull();
});

test('an inventory that somebody has formatted is read as well; what is none lists nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-inventory-'));
  try {
    const write = (text: string): void => writeFileSync(join(folder, 'files.json'), text);
    expect(readListed(folder)).toBeNull();
    write(JSON.stringify(JSON.parse(whole), null, 2));
    expect(readListed(folder)?.has('b.json')).toBe(true);
    expect(readListed(folder)?.has('toString')).toBe(false);
    write(whole.slice(0, -3));
    expect(readListed(folder)).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
