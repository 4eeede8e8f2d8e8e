import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { manifestSchema } from '../../src/api/schemas.ts';

/** Expects files.json to list exactly the other files of a site, by path, with their bytes and hashes. */
export function checkInventory(site: ReadonlyMap<string, Buffer>): void {
  const inventory = manifestSchema.parse(JSON.parse(String(site.get('files.json'))));
  const others = [...site].filter(([path]) => path !== 'files.json');
  expect(Object.keys(inventory.files)).toEqual(others.map(([path]) => path));
  const found = others.map(([path, content]) => {
    return [path, { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }];
  });
  expect(inventory.files).toEqual(Object.fromEntries(found));
}
