import * as fc from 'fast-check';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSitePath } from '../../src/api/address.ts';
import { StagingArea } from '../../src/output/staging.ts';
import { tempFolder } from '../setup/folders.ts';

const name = fc.oneof(
  fc.constantFrom('..', '.', '', 'a', 'b\\..', 'c\0'),
  fc.string({ maxLength: 4 }),
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

test('a path that leads out of the site is never written, however it is added', () => {
  let refused = 0;
  fc.assert(
    fc.property(path, fc.boolean(), fc.boolean(), (path, isWhole, isDry) => {
      const cwd = tempFolder();
      const folders = { folder: join(cwd, 'a/b/c/next'), previous: join(cwd, 'dist') };
      mkdirSync(folders.folder, { recursive: true });
      const staging = new StagingArea(isDry ? null : folders);
      const add = (): void =>
        isWhole
          ? staging.add({ path, content: 'x' })
          : staging.add({
              path,
              content: function* () {
                yield 'x';
              },
            });
      if (isSitePath(path)) add();
      else {
        refused++;
        expect(add).toThrow('expected one in the site');
      }
      expect(staging.has(path)).toBe(isSitePath(path));
      const outside = readdirSync(cwd, { recursive: true, encoding: 'utf8' });
      expect(outside.filter((file) => !file.startsWith('a/b/c/next/')).toSorted()).toEqual([
        'a',
        'a/b',
        'a/b/c',
        'a/b/c/next',
      ]);
    }),
  );
  expect(refused).toBeGreaterThan(0);
});
