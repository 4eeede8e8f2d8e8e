import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readListed } from '../../src/site/claim.ts';
import { lookInto } from '../../src/site/inventory-text.ts';
import { inventoryText } from '../../src/site/plan.ts';

const path = fc.stringMatching(/^(?:[a-z0-9=-]{1,6}\/){0,3}[a-z0-9-]{1,6}\.(?:json|ics|html)$/);
const entry = fc.record({
  bytes: fc.nat(),
  sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
});
const files = fc.dictionary(path, entry, { minKeys: 1, maxKeys: 40, noNullPrototype: true });

test('every file that an inventory lists is found in its text, and no other', () => {
  fc.assert(
    fc.property(files, path, (all, other) => {
      const listed = lookInto(inventoryText('almanac/1.0.0', all));
      for (const [one, known] of Object.entries(all)) expect(listed?.entryOf(one)).toEqual(known);
      for (const one of [other, '', 'files', '__proto__', Object.keys(all)[0]?.slice(1) ?? '']) {
        expect(listed?.has(one)).toBe(Object.hasOwn(all, one));
        expect(listed?.entryOf(one)).toEqual(Object.hasOwn(all, one) ? all[one] : null);
      }
    }),
  );
});

const sha256 = 'a'.repeat(64);
const whole = inventoryText('almanac/1.0.0', { 'a.json': { bytes: 1, sha256 }, 'b.json': { bytes: 2, sha256 } });

test.each([
  ['is cut anywhere', () => Array.from({ length: whole.length }, (_, length) => whole.slice(0, length))],
  ['holds more', () => [`${whole}{}`, whole.replace('}}\n', '},"more":1}\n'), whole.replace(',"b', ',,"b')]],
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
    expect(readListed(folder)?.entryOf('b.json')).toEqual({ bytes: 2, sha256 });
    expect(readListed(folder)?.has('toString')).toBe(false);
    write(whole.slice(0, -3));
    expect(readListed(folder)).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
