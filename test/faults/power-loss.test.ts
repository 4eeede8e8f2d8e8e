import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataOf } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { almanac } from '../setup/run-almanac.ts';

/*
 * A file system in an image: a copy of the image is what the disk would hold if the power failed now, since what the
 * system has not written yet is not in it.
 */
function has(tool: string): boolean {
  try {
    execFileSync('which', [tool]);
    return true;
  } catch {
    return false;
  }
}

const isRoot = process.getuid?.() === 0;

describe.each([
  ['ext4', ['-q', '-F']],
  ['xfs', ['-q', '-f']],
  ['btrfs', ['-q', '-f']],
])('on %s', (type, options) => {
  const tool = `mkfs.${type}`;
  if (!isRoot || !has(tool))
    process.stderr.write(`Power loss on ${type} is not tested: that needs root and ${tool}.\n`);

  test.skipIf(!isRoot || !has(tool))('a site is whole if the power fails right after its build', () => {
    const cwd = tempFolder();
    const image = join(cwd, 'image');
    writeFileSync(image, '');
    truncateSync(image, 400 * 1024 ** 2);
    execFileSync(tool, [...options, image]);
    const titles = Array.from({ length: 40 }, (_, index) => [`Event ${index}`, '2027-01-15'] as const);
    const events = Object.fromEntries(
      Array.from({ length: 40 }, (_, genre) => [`tv/genre-${genre}/show`, Object.fromEntries(titles)]),
    );
    const changed = { ...events, 'tv/genre-7/show': { Other: '2027-02-01' } };
    for (const [day, data] of [
      [20, events],
      [21, events],
      [22, changed],
    ] as const) {
      const now = `2026-11-${day}T12:00:00Z`;
      const copy = `${image}-${day}`;
      // One after the other: no system mounts a file system and its copy at the same time.
      withDisk(image, (disk) => {
        writeTree(join(disk, 'data'), dataOf(data));
        runIn(disk, 'build', '--now', now);
        execFileSync('cp', ['--sparse=always', image, copy]);
      });
      withDisk(copy, (disk) => {
        runIn(disk, 'verify', 'dist', '--now', now);
        expect(readFileSync(join(disk, 'dist/api/v1/index.json'), 'utf8')).toContain(`2026-11-${day}T12:00:00.000Z`);
      });
      rmSync(copy);
    }
  });
});

/** Not by spawnAlmanac, which adds --no-sync to a build. */
function runIn(cwd: string, ...args: string[]): void {
  execFileSync(process.execPath, [almanac, ...args, '--quiet'], { cwd, env: { PATH: process.env['PATH'] } });
}

function withDisk(image: string, work: (disk: string) => void): void {
  const disk = `${image}-mounted`;
  mkdirSync(disk, { recursive: true });
  execFileSync('mount', ['-o', 'loop', image, disk]);
  try {
    work(disk);
  } finally {
    execFileSync('umount', [disk]);
  }
}
