import { hash } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Content, FileRange, Parts } from '../../src/api/site-file.ts';
import { StagingArea } from '../../src/output/staging.ts';
import { tempFolder } from '../setup/folders.ts';

function foldersIn(cwd: string): { folder: string; previous: string } {
  const folders = { folder: join(cwd, 'next'), previous: join(cwd, 'dist') };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  return folders;
}

/** Adds two files part by part. */
function fill(staging: StagingArea): void {
  const parts = (texts: readonly Content[]) =>
    function* (): Parts {
      yield* texts;
    };
  staging.add({ path: 'a.ndjson', content: parts([['one', '\n'], 'zwölf\n', 'three\n']) });
  staging.add({ path: 'b/a.ndjson', content: parts([['one', '\n'], 'zwölf\n', '']) });
}

const texts = new Map([
  ['a.ndjson', 'one\nzwölf\nthree\n'],
  ['b/a.ndjson', 'one\nzwölf\n'],
]);

test('lists files that are written in parts in the manifest, also in a dry run', () => {
  const folders = foldersIn(tempFolder());
  const staging = new StagingArea(folders);
  fill(staging);
  const size = staging.finish('almanac/1.0.0');
  const { files } = JSON.parse(readFileSync(join(folders.folder, 'files.json'), 'utf8')) as {
    files: object;
  };
  expect(files).toEqual(
    Object.fromEntries(
      Array.from(texts, ([path, text]) => [
        path,
        { bytes: Buffer.byteLength(text), sha256: hash('sha256', text) },
      ]),
    ),
  );
  for (const [path, text] of texts)
    expect(readFileSync(join(folders.folder, path), 'utf8')).toBe(text);
  const dry = new StagingArea(null);
  fill(dry);
  expect(dry.finish('almanac/1.0.0')).toEqual(size);
});

test.each([
  ['links the file of the previous site if the content is the same', () => {}, true],
  [
    'writes a new file if the previous one has a second hard link',
    (file: string) => linkSync(file, `${file}.backup`),
    false,
  ],
])('%s, and keeps the modification time', (_, prepare, isSame) => {
  const folders = foldersIn(tempFolder());
  const previous = join(folders.previous, 'a.ndjson');
  writeFileSync(previous, texts.get('a.ndjson') ?? '');
  prepare(previous);
  const staging = new StagingArea(folders);
  fill(staging);
  const [before, after] = [lstatSync(previous), lstatSync(join(folders.folder, 'a.ndjson'))];
  expect(after.ino === before.ino).toBe(isSame);
  expect(Math.floor(after.mtimeMs)).toBe(Math.floor(before.mtimeMs));
});

test('replaces a file of the same size with other content', () => {
  const folders = foldersIn(tempFolder());
  writeFileSync(
    join(folders.previous, 'a.ndjson'),
    (texts.get('a.ndjson') ?? '').replace('three', 'seven'),
  );
  const staging = new StagingArea(folders);
  fill(staging);
  expect(readFileSync(join(folders.folder, 'a.ndjson'), 'utf8')).toBe(texts.get('a.ndjson'));
});

test.each(['a site', 'a dry run'])(
  '%s copies a range of a file block by block, or in one piece to change it',
  (kind) => {
    const folders = foldersIn(tempFolder());
    const staging = new StagingArea(kind === 'a site' ? folders : null);
    const text = 'zwölf\n'.repeat(400_000);
    // A block that begins here ends within a character.
    const range = { file: 'part', skip: 6, leave: 0 };
    const parts = (part: FileRange) =>
      function* (): Parts {
        yield part;
      };
    staging.add({ path: 'part', content: text, isPart: true });
    staging.add({ path: 'plain', content: parts(range) });
    const map = (part: string): string => part.toUpperCase();
    staging.add({ path: 'changed', content: parts({ ...range, map }) });
    expect(staging.has('part')).toBe(false);
    expect(staging.entries.get('plain')?.bytes).toBe(Buffer.byteLength(text) - range.skip);
    if (kind === 'a dry run') return;
    expect(readFileSync(join(folders.folder, 'plain'), 'utf8')).toBe(text.slice(5));
    expect(readFileSync(join(folders.folder, 'changed'), 'utf8')).toBe(text.slice(5).toUpperCase());
  },
);
