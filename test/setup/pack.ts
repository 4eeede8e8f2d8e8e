import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Packs the compiled generator under a version into a folder, which also gets its unpacked files.
 * Returns the tarball.
 */
export function packGenerator(version: string, folder: string): string {
  const copy = join(folder, version);
  mkdirSync(copy);
  for (const name of ['lib', 'CHANGELOG.md', 'LICENSE', 'README.md'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, version }));
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: copy,
    stdio: 'pipe',
  });
  return join(folder, `almanac-${version}.tgz`);
}
