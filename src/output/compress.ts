import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { contentTypeOf } from '../api/content-types.ts';
import type { ManifestEntry } from '../api/documents.ts';
import { inParallel } from '../system/parallel.ts';

/** The encodings that web servers send from files, at levels beyond which time grows much faster than size falls. */
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

/** A text of fewer bytes travels in one packet, compressed or not. */
const minBytes = 1024;

/** Writes `{path}.br` and `{path}.gz` for every text file that gets smaller by it. Compresses equal files once. */
export async function compressFiles(
  entries: ReadonlyMap<string, ManifestEntry>,
  read: (path: string) => Buffer,
  write: (path: string, bytes: Buffer) => void,
): Promise<void> {
  await inParallel(groupByContent(entries), availableParallelism(), async (paths) => {
    const bytes = read(paths[0]);
    for (const [encoding, encode] of Object.entries(encoders)) {
      const encoded = await encode(bytes);
      if (encoded.length < bytes.length) for (const path of paths) write(`${path}.${encoding}`, encoded);
    }
  });
}

/** The paths of the files that are worth compressing, in groups that have the same content. */
function groupByContent(entries: ReadonlyMap<string, ManifestEntry>): [string, ...string[]][] {
  const groups = new Map<string, [string, ...string[]]>();
  for (const [path, { bytes, sha256 }] of entries) {
    if (bytes < minBytes || contentTypeOf(path) === null) continue;
    const group = groups.get(sha256);
    if (group === undefined) groups.set(sha256, [path]);
    else group.push(path);
  }
  return [...groups.values()];
}
