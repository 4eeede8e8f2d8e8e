import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Inventory } from '../api/documents.ts';
import { inParallel } from '../request.ts';
import { readInventory } from './claim.ts';

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
const isText = /(\.(json|ics|html|css|js|mjs|svg|txt)|(^|\/)[^./]+)$/;

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
  const known = readPrevious(site, previous);
  let anew = 0;
  await inParallel([...contents], availableParallelism(), async ([sha256, paths]) => {
    const last = known.get(sha256);
    if (last === undefined) anew++;
    const copies = last === undefined ? await compress(site.read(paths[0] ?? '')) : last();
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
    if (bytes < leastBytes || !isText.test(path)) continue;
    const same = paths.get(sha256);
    if (same === undefined) paths.set(sha256, [path]);
    else same.push(path);
  }
  return paths;
}

/** What the site in place has compressed already, to be read when it is needed. */
function readPrevious({ generator }: Compressible, folder: string): ReadonlyMap<string, () => Copies> {
  const inventory = readInventory(folder);
  if (inventory === null || inventory.generator !== generator) return new Map();
  const { files } = inventory;
  const read = (path: string): Buffer | null => (Object.hasOwn(files, path) ? readFileSync(join(folder, path)) : null);
  const isCompressed = Object.keys(files).some((path) => path.endsWith('.br'));
  const entries = isCompressed ? [...contentsOf(files)] : [];
  return new Map(
    entries.map(([sha256, [first = '']]) => [sha256, () => ({ br: read(`${first}.br`), gz: read(`${first}.gz`) })]),
  );
}
