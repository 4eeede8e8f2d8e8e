import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const depth = 100_000;
const text = '{"name": "Café", "events": []}';
const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');

/** Creates the files of invalid cases that a text cannot contain, in their data folders. */
export const setUps: Readonly<Record<string, (data: string) => void>> = {
  /** A file and a folder whose names are not UTF-8. */
  'bad-name': (data) => {
    const inData = (name: string): Buffer =>
      Buffer.concat([Buffer.from(`${data}/`), Buffer.from(name, 'latin1')]);
    writeFileSync(inData('tv/drama/caf\xe9.json'), '{');
    mkdirSync(inData('th\xe9\xe2tre'));
  },

  'nested-too-deep': (data) =>
    writeSubjects(data, {
      arrays: '['.repeat(depth) + ']'.repeat(depth),
      objects: '{"name":'.repeat(depth) + '1' + '}'.repeat(depth),
      open: '{"name":"Subject","events":\n' + '[{"a":'.repeat(depth),
    }),

  'not-utf8': (data) =>
    writeSubjects(data, {
      'utf16-le': utf16,
      'utf16-be': Buffer.from(utf16).swap16(),
      latin1: Buffer.from(text, 'latin1'),
      binary: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]),
      overlong: Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
      surrogate: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      cut: Buffer.from(text).subarray(0, 14),
    }),

  /** A pipe without a writer: opening it would never end. */
  'stray-file': (data) => void execFileSync('mkfifo', [join(data, 'tv/drama/pipe.json')]),

  /**
   * Links to a file, to a folder, to the folder itself, to nothing, in the place of names; and two
   * that are ignored.
   */
  'symbolic-link': (data) => {
    mkdirSync(join(data, 'films/noir'), { recursive: true });
    const links = {
      'tv/drama/linked.json': 'fine.json',
      'tv/comedy': '../drama',
      loop: '.',
      'tv/drama/broken.json': 'nowhere.json',
      'tv/drama/README.md': 'fine.json',
      'tv/drama/.linked.json': 'fine.json',
      'films/category.json': '../tv/category.json',
      'films/noir/genre.json': '../../tv/drama/genre.json',
    };
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(data, path));
  },

  /**
   * A hundred million bytes and one byte too many, which take no room on the disk, and files and
   * folders without permissions. The folders get them back, so that they can be removed.
   */
  'unreadable-file': (data) => {
    for (const [name, bytes] of Object.entries({
      huge: 100_000_000,
      large: 16 * 1024 * 1024 + 1,
    })) {
      const file = join(data, `tv/drama/${name}.json`);
      writeFileSync(file, '');
      truncateSync(file, bytes);
    }
    for (const path of ['tv/drama/locked.json', 'tv/category.json', 'tv/comedy', 'film']) {
      chmodSync(join(data, path), 0);
      onTestFinished(() => chmodSync(join(data, path), 0o755));
    }
  },
};

function writeSubjects(data: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(data, `tv/drama/${name}.json`), content);
}
