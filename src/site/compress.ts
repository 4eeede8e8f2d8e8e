import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { contentTypeOf } from '../api/content-types.ts';
import type { Inventory } from '../api/documents.ts';
import { inParallel } from '../parallel.ts';
import { inventoryIn } from './claim.ts';

/**
 * The two encodings that hosts send as they are. Their levels were chosen by `npm run bench:compress`: beyond them
 * the bytes hardly fall and the time grows manifold.
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
type Encoding = keyof typeof encoders;

/** Text of this many bytes travels in one packet, compressed or not. */
const leastBytes = 1024;

/** A staged site: what is in it so far, and a way to add to it. */
export interface Compressible {
  readonly files: Readonly<Inventory['files']>;
  readonly generator: string;
  readonly read: (path: string) => Buffer;
  readonly put: (path: string, bytes: Buffer) => void;
}

/**
 * Adds `{path}.br` and `{path}.gz` to a staged site for every text that gets smaller by them. The same content is
 * compressed once, and not at all where `previous`, the site in that folder, has it compressed by the same version.
 *
 * @returns how many contents were compressed anew
 */
export async function compressSite(site: Compressible, previous: string): Promise<number> {
  const contents = contentsOf(site.files);
  const known = copiesIn(previous, site.generator);
  let anew = 0;
  await inParallel([...contents], availableParallelism(), async ([sha256, paths]) => {
    const last = known(sha256);
    if (last === null) anew++;
    const copies = last ?? (await compress(site.read(paths[0] ?? '')));
    for (const [encoding, bytes] of Object.entries(copies)) {
      if (bytes !== null) for (const path of paths) site.put(`${path}.${encoding}`, bytes);
    }
  });
  return anew;
}

type Copies = Readonly<Record<Encoding, Buffer | null>>;

async function compress(bytes: Buffer): Promise<Copies> {
  const gaining = async (encoding: Encoding): Promise<Buffer | null> => {
    const encoded = await encoders[encoding](bytes);
    return encoded.length < bytes.length ? encoded : null;
  };
  return { br: await gaining('br'), gz: await gaining('gz') };
}

/** The paths of every content that is worth compressing, by hash. */
function contentsOf(files: Readonly<Inventory['files']>): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>();
  for (const [path, { bytes, sha256 }] of Object.entries(files)) {
    if (bytes < leastBytes || contentTypeOf(path) === null) continue;
    const same = paths.get(sha256);
    if (same === undefined) paths.set(sha256, [path]);
    else same.push(path);
  }
  return paths;
}

/** The copies that the site in a folder has of a content; null where it has none, or not as they were written. */
function copiesIn(folder: string, generator: string): (sha256: string) => Copies | null {
  const inventory = inventoryIn(folder);
  if (inventory?.generator !== generator) return () => null;
  const files = new Map(Object.entries(inventory.files));
  const contents = contentsOf(inventory.files);
  const isCompressed = [...files.keys()].some((path) => path.endsWith('.br'));
  const read = (path: string): Buffer | null => {
    const entry = files.get(path);
    return entry === undefined ? null : readSound(join(folder, path), entry.sha256);
  };
  return (sha256) => {
    const [first] = contents.get(sha256) ?? [];
    if (!isCompressed || first === undefined) return null;
    try {
      return { br: read(`${first}.br`), gz: read(`${first}.gz`) };
    } catch {
      return null;
    }
  };
}

/** The bytes of a file. Throws where they are not those of the hash, or cannot be read. */
function readSound(path: string, sha256: string): Buffer {
  const bytes = readFileSync(path);
  if (hash('sha256', bytes) !== sha256) throw new Error(`${path} is damaged`);
  return bytes;
}
