/* eslint-disable no-console -- this is a program of its own */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/*
 * What each level of compression costs and gains, over the different contents of a site of 1,024 bytes and more:
 *
 *   npm run bench:compress           dist/
 *   npm run bench:compress -- site   another folder
 */
const folder = resolve(process.argv[2] ?? 'dist');
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const texts = files.filter(({ name }) => !/\.(br|gz)$/.test(name) && name !== 'files.json');
const contents = new Map<string, Buffer>();
for (const { parentPath, name } of texts) {
  const bytes = readFileSync(join(parentPath, name));
  if (bytes.length >= 1024) contents.set(createHash('sha256').update(bytes).digest('hex'), bytes);
}
const all = [...contents.values()];
const size = all.reduce((total, { length }) => total + length, 0);

const brotli = (quality: number) => (bytes: Buffer) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
const gzip = (level: number) => (bytes: Buffer) => gzipSync(bytes, { level });

const rows = [
  ...[4, 5, 6, 7, 8, 9, 10, 11].map((quality) => ({ name: `brotli ${quality}`, encode: brotli(quality) })),
  ...[1, 6, 9].map((level) => ({ name: `gzip ${level}`, encode: gzip(level) })),
];

console.log(`${all.length} different contents, ${size} bytes, one thread, Node ${process.version}\n`);
console.log('| level | seconds | bytes | of the original |\n| --- | ---: | ---: | ---: |');
for (const { name, encode } of rows) {
  const began = performance.now();
  const bytes = all.reduce((total, content) => total + encode(content).length, 0);
  const seconds = (performance.now() - began) / 1000;
  console.log(`| ${name} | ${seconds.toFixed(2)} | ${bytes} | ${((bytes / size) * 100).toFixed(1)}% |`);
}
