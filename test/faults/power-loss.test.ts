import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { dataOf } from '../setup/build-site.ts';
import { engine, onPath } from '../setup/engines.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { almanac } from '../setup/run-almanac.ts';
import { serve } from '../setup/serve-folder.ts';

/*
 * These tests use a file system in an image. A copy of the image contains what the disk would
 * contain if the power failed now, because unflushed writes are not in the image yet.
 */
describe.each([
  ['ext4', ['-q', '-F'], 'e2fsprogs'],
  ['xfs', ['-q', '-f'], 'xfsprogs'],
  ['btrfs', ['-q', '-f'], 'btrfs-progs'],
])('on %s', (type, options, debianPackage) => {
  const findTool = (): string | null => (process.getuid?.() === 0 ? onPath(`mkfs.${type}`) : null);
  const tool = engine(`mkfs.${type}`, findTool, `as root: apt-get install ${debianPackage}`);

  test.skipIf(tool === null)(
    'a site is whole if the power fails right after its build',
    async () => {
      const image = makeDisk(tempFolder(), tool ?? '', options);
      const titles = Array.from(
        { length: 40 },
        (_, index) => [`Event ${index}`, '2027-01-15'] as const,
      );
      const events = Object.fromEntries(
        Array.from({ length: 40 }, (_, genre) => [
          `tv/genre-${genre}/show`,
          Object.fromEntries(titles),
        ]),
      );
      const changed = { ...events, 'tv/genre-7/show': { Other: '2027-02-01' } };
      const nights = [
        [20, events],
        [21, events],
        [22, changed],
      ] as const;
      for (const [day, data] of nights) {
        const now = `2026-11-${day}T12:00:00Z`;
        const work = async (disk: string): Promise<void> => {
          writeTree(join(disk, 'data'), dataOf(data));
          await run(disk, 'build', '--now', now);
        };
        await afterPowerLoss(image, work, async (disk) => {
          await run(disk, 'verify', 'dist');
          expect(readFileSync(join(disk, 'dist/api/v1/index.json'), 'utf8')).toContain(
            `2026-11-${day}T12:00:00.000Z`,
          );
        });
      }
    },
  );

  test.skipIf(tool === null)(
    'a copy of a source is whole if the power fails right after sync',
    async () => {
      const image = makeDisk(tempFolder(), tool ?? '', options);
      const sent = { rows: 'Hall,First,2027-05-01' };
      const url = await serve((_, response) =>
        response.end(`subject,title,starts\n${sent.rows}\n`),
      );
      const source = { name: 'Halls', source: `${url}/halls.csv`, format: 'csv' };
      for (const title of ['First', 'Second']) {
        sent.rows = `Hall,${title},2027-05-01`;
        const data = { ...dataOf({ 'tv/drama/show': {} }), 'tv/drama/halls.source.json': source };
        const work = async (disk: string): Promise<void> => {
          writeTree(join(disk, 'data'), data);
          await run(disk, 'check', '--sync');
        };
        await afterPowerLoss(image, work, async (disk) => {
          // Only the program flushes its files. The test does not flush those that it writes.
          writeTree(join(disk, 'data'), data);
          await run(disk, 'build', '--strict', '--now', '2026-11-20T12:00:00Z');
          expect(readFileSync(join(disk, 'dist/api/v1/events.json'), 'utf8')).toContain(
            `"title":"${title}"`,
          );
        });
      }
    },
  );
});

/** Creates an image with a file system. Returns its path. */
function makeDisk(folder: string, tool: string, options: readonly string[]): string {
  const image = join(folder, 'image');
  writeFileSync(image, '');
  truncateSync(image, 400 * 1024 ** 2);
  execFileSync(tool, [...options, image]);
  return image;
}

/**
 * Runs `work` on a disk, then `look` on a copy of the image that was made without unmounting the
 * disk.
 */
async function afterPowerLoss(image: string, work: DiskWork, look: DiskWork): Promise<void> {
  const copy = `${image}-copy`;
  // Mount one after the other, because the kernel refuses to mount a file system and its copy at
  // the same time.
  await withDisk(image, async (disk) => {
    await work(disk);
    execFileSync('cp', ['--sparse=always', image, copy]);
  });
  await withDisk(copy, look);
  rmSync(copy);
}

type DiskWork = (disk: string) => Promise<void>;

async function withDisk(image: string, work: DiskWork): Promise<void> {
  const disk = `${image}-mounted`;
  mkdirSync(disk, { recursive: true });
  execFileSync('mount', ['-o', 'loop', image, disk]);
  try {
    await work(disk);
  } finally {
    execFileSync('umount', [disk]);
  }
}

/** Runs the command. It does not use spawnAlmanac, which adds --no-flush to a build. */
async function run(cwd: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [almanac, ...args, '--quiet'], {
    cwd,
    env: { PATH: process.env['PATH'] },
  });
}
