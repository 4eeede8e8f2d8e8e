import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { contentTypeOf } from '../api/content-types.ts';
import type { ManifestEntry } from '../api/documents.ts';
import type { Content } from '../api/site-file.ts';
import { inParallel } from '../system/parallel.ts';

/**
 * The encodings that web servers send from files. Higher levels take much longer and save little.
 */
const encoders = {
  br: async (bytes: Buffer): Promise<Buffer> =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: async (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { level: 6 }),
} as const;

/** A smaller file fits into one packet, compressed or not. */
const minBytes = 1024;

/**
 * A larger file gets no copies. Some two million events have such a file, which Node.js 20 could
 * not read whole.
 */
const maxBytes = 1024 ** 3;

/** Where the files are, and a function that adds a compressed copy. */
interface CompressedArea {
  readonly locate: (path: string) => string;
  readonly write: (path: string, bytes: Buffer) => void;
}

/** Writes `{path}.br` and `{path}.gz` for every text file if that is smaller. */
export async function compressFiles(
  entries: ReadonlyMap<string, ManifestEntry>,
  area: CompressedArea,
): Promise<void> {
  const worthy = [...entries].filter(([path, entry]) => {
    const { bytes } = entry;
    return bytes >= minBytes && bytes <= maxBytes && contentTypeOf(path) !== null;
  });
  await inParallel(worthy, availableParallelism(), async ([path]) => {
    const bytes = readFileSync(area.locate(path));
    for (const [encoding, encode] of Object.entries(encoders)) {
      const copy = `${path}.${encoding}`;
      // A file of the owner may have the name of a copy.
      const encoded = entries.has(copy) ? bytes : await encode(bytes);
      if (encoded.length < bytes.length) area.write(copy, encoded);
    }
  });
}

/**
 * Returns a UTF-8 encoder with one buffer, which is three times as fast. A result is valid until
 * the next call.
 */
export function encoder(): (content: Content) => Buffer {
  let buffer = Buffer.allocUnsafe(256 * 1024);
  return (content) => {
    if (content instanceof Uint8Array)
      return Buffer.from(content.buffer, content.byteOffset, content.length);
    const parts = typeof content === 'string' ? [content] : content;
    const size = maxBytesOf(parts);
    if (size > buffer.length) buffer = Buffer.allocUnsafe(size);
    let length = 0;
    for (const part of parts) length += buffer.write(part, length);
    return buffer.subarray(0, length);
  };
}

/** A UTF-16 code unit takes at most three bytes. */
function maxBytesOf(parts: readonly string[]): number {
  let units = 0;
  for (const part of parts) units += part.length;
  return units * 3;
}
