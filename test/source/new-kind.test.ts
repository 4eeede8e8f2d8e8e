import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { openData } from '../../src/source/data.ts';
import { dataOf } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

const root = join(import.meta.dirname, '../..');
const reader = join(root, 'test/fixtures/new-kind/lines.ts.txt');

/** Replaces a text that is in a file once. */
function edit(file: string, text: string, replacement: string): void {
  const parts = readFileSync(file, 'utf8').split(text);
  expect(parts, `${text} in ${file}`).toHaveLength(2);
  writeFileSync(file, parts.join(replacement));
}

/** Compiles a copy of the program. Returns the places of what the compiler asks for. */
function compile(copy: string): string[] {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', copy], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => /^.*?(src\/[\w/-]+\.ts)\(/.exec(line)?.[1] ?? []);
}

test('a kind of file is one row and one short file, and the compiler names everything else', async () => {
  const copy = tempFolder();
  cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true });
  for (const name of ['tsconfig.json', 'package.json']) cpSync(join(root, name), join(copy, name));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const source = readFileSync(reader, 'utf8');
  expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  writeFileSync(join(copy, 'src/readers/lines.ts'), source);
  const row = "lines: { ...table, ending: '.ndjson', format: 'ndjson' },";
  const kinds = join(copy, 'src/readers/schema/file-kinds.ts');
  edit(kinds, '\n  catalogue: {', `\n  ${row}\n  catalogue: {`);
  expect(compile(copy)).toEqual(['src/readers/readers.ts']);

  const line = "lines: async () => (await import('./lines.ts')).readLines,";
  edit(join(copy, 'src/readers/readers.ts'), '\n  catalogue:', `\n  ${line}\n  catalogue:`);
  expect(compile(copy)).toEqual([]);

  const data = writeTree(join(copy, 'data'), {
    ...dataOf({ 'music/rock/band': {} }),
    'music/rock/tour.ndjson':
      '{"subject":"Tour","title":"Oslo","starts":"2027-03-04"}\n' +
      '{"subject":"Tour","title":"Rome","starts":"2027-13-04"}\n',
  });
  const program = pathToFileURL(join(copy, '.compiled/source/data.js')).href;
  const compiled = (await import(program)) as { openData: typeof openData };
  const displayPath = (path: string): string => path;
  const folder = compiled.openData({ data, displayPath, now: Date.UTC(2026, 10, 20) });
  const [genre] = folder.genres;
  const content = genre && (await folder.readGenre(genre));
  expect(content?.upcoming.map(({ id }) => id)).toEqual(['rock-music/tour/oslo-2027-03-04']);
  expect(folder.findings().problems).toMatchObject([
    { code: 'bad-starts', place: { file: 'music/rock/tour.ndjson', line: 2 } },
  ]);
}, 240_000);
