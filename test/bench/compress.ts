import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { formatCount, machine, table } from './report.ts';

/** Compresses all distinct contents of at least 1,024 bytes of a site at each level. Returns the report. */
export function benchCompression(folder: string, isMarkdown: boolean): string {
  const contents = contentsOf(folder);
  const size = contents.reduce((total, { length }) => total + length, 0);
  const rows = levels.map(({ name, encode }) => {
    const began = performance.now();
    const bytes = contents.reduce((total, content) => total + encode(content).length, 0);
    const seconds = (performance.now() - began) / 1000;
    return [name, seconds.toFixed(2), formatCount(bytes), `${((bytes / size) * 100).toFixed(1)}%`];
  });
  const head = ['', 'seconds', 'bytes', 'of the original'];
  return `${table(head, rows, isMarkdown)}${contents.length} contents, ${formatCount(size)} bytes. ${machine()}.`;
}

function contentsOf(folder: string): Buffer[] {
  const contents = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(br|gz)$/.test(entry.name) || entry.name === 'files.json') continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    if (bytes.length >= 1024) contents.set(createHash('sha256').update(bytes).digest('hex'), bytes);
  }
  return [...contents.values()];
}

const brotli = (quality: number) => (bytes: Buffer) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
const gzip = (level: number) => (bytes: Buffer) => gzipSync(bytes, { level });

const levels = [
  ...[4, 5, 6, 7, 8, 9, 10, 11].map((quality) => ({ name: `brotli ${quality}`, encode: brotli(quality) })),
  ...[1, 6, 9].map((level) => ({ name: `gzip ${level}`, encode: gzip(level) })),
];
