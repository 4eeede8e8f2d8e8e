import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { manifestSchema } from '../../src/api/schemas.ts';

/**
 * Expects files.json to list exactly the other files of a site, ordered by path, with their sizes
 * and hashes.
 */
export function checkManifest(site: ReadonlyMap<string, Buffer>): void {
  const manifest = manifestSchema.parse(JSON.parse(String(site.get('files.json'))));
  const files = [...site].filter(([path]) => path !== 'files.json');
  expect(Object.keys(manifest.files)).toEqual(files.map(([path]) => path));
  const expected = files.map(([path, content]) => {
    return [
      path,
      { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') },
    ];
  });
  expect(manifest.files).toEqual(Object.fromEntries(expected));
}
