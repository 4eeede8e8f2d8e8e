import { createReadStream, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { contentTypeOf } from '../api/content-types.ts';
import type { ManifestEntry } from '../api/documents.ts';
import { groupBy } from '../catalogue/group.ts';
import { inParallel } from '../system/parallel.ts';

/** The encodings that web servers send from files. Higher levels take much longer and save little. */
const encoders = {
  br: {
    encode: async (bytes: Buffer): Promise<Buffer> => promisify(brotliCompress)(bytes, brotliOptions(bytes.length)),
    stream: (bytes: number) => createBrotliCompress(brotliOptions(bytes)),
  },
  gz: {
    encode: async (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { level: 6 }),
    stream: () => createGzip({ level: 6 }),
  },
} as const;

function brotliOptions(bytes: number) {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: Math.min(bytes, maxSizeHint),
    },
  };
}

const maxSizeHint = 2 ** 30;

/** A smaller file fits into one packet, compressed or not. */
const minBytes = 1024;

/** A larger file is compressed in parts, so that it does not fill the memory. */
const maxBytesInMemory = 16 * 1024 ** 2;

/** Where the files are, and functions that add compressed copies. */
interface CompressedArea {
  readonly locate: (path: string) => string;
  readonly write: (path: string, bytes: Buffer) => void;
  readonly append: (paths: readonly string[], bytes: Buffer, isLast: boolean) => void;
}

/** Writes `{path}.br` and `{path}.gz` for every text file if that is smaller. Compresses equal files once. */
export async function compressFiles(entries: ReadonlyMap<string, ManifestEntry>, area: CompressedArea): Promise<void> {
  await inParallel(groupByContent(entries), availableParallelism(), async (paths) => {
    const [first = ''] = paths;
    const [file, size] = [area.locate(first), entries.get(first)?.bytes ?? 0];
    for (const [encoding, { encode, stream }] of Object.entries(encoders)) {
      // A file of the owner may have the name of a copy.
      const copies = paths.map((path) => `${path}.${encoding}`).filter((copy) => !entries.has(copy));
      if (copies.length === 0) continue;
      if (size > maxBytesInMemory) await compressLarge(file, stream(size), copies, area);
      else {
        const encoded = await encode(readFileSync(file));
        if (encoded.length < size) for (const copy of copies) area.write(copy, encoded);
      }
    }
  });
}

/** Writes compressed copies of a large text, part by part. They are always smaller than the text. */
async function compressLarge(file: string, stream: Transform, copies: readonly string[], { append }: CompressedArea) {
  await pipeline(createReadStream(file), stream, async (chunks: AsyncIterable<unknown>) => {
    for await (const chunk of chunks) append(copies, chunk as Buffer, false);
  });
  append(copies, Buffer.alloc(0), true);
}

/** Returns the paths of the files that are worth compressing, in groups with the same content. */
function groupByContent(entries: ReadonlyMap<string, ManifestEntry>): string[][] {
  const worthy = [...entries].filter(([path, { bytes }]) => bytes >= minBytes && contentTypeOf(path) !== null);
  const groups = groupBy(worthy, ([, { sha256 }]) => sha256);
  return Array.from(groups.values(), (group) => group.map(([path]) => path));
}
