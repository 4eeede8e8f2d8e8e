import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest } from '../src/api/documents.ts';

/*
 * Builds the starter catalogue and four fixtures at a fixed time and prints one line for each file
 * of their sites: its SHA-256, the catalogue and the path. Two outputs that are equal prove that a
 * change of the code changed no byte.
 *
 *   npm run --silent golden > before.txt
 */
const root = join(import.meta.dirname, '../..');
const valid = 'test/fixtures/valid';
const catalogues = {
  starter: 'data',
  ...Object.fromEntries(
    ['every-format', 'facts', 'former-ids', 'unicode'].map((name) => [
      name,
      join(valid, name, 'data'),
    ]),
  ),
};

for (const [name, data] of Object.entries(catalogues)) {
  const folder = mkdtempSync(join(tmpdir(), 'golden-'));
  try {
    const out = join(folder, 'dist');
    const args = [
      '--base-url',
      'https://example.org/almanac',
      '--now',
      '2026-11-24T12:00:00Z',
      '--no-flush',
      '--quiet',
    ];
    const run = spawnSync(
      process.execPath,
      ['lib/bin/main.js', 'build', '--data', data, '--out', out, ...args],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    if (run.status !== 0) throw new Error(`${name}: ${run.stderr}`);
    const { files } = JSON.parse(readFileSync(join(out, 'files.json'), 'utf8')) as Manifest;
    for (const [path, { sha256 }] of Object.entries(files))
      process.stdout.write(`${sha256}  ${name}/${path}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
