import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Inventory } from '../api/documents.ts';
import { inParallel } from '../parallel.ts';
import { readInventory } from './claim.ts';
import { openLastSite } from './last-site.ts';
import type { Swap } from './swap.ts';

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
 * compressed once, and not at all where the site in place holds it as the same version has compressed it.
 *
 * @returns how many contents were compressed anew
 */
export async function compressSite(site: Compressible, swap: Pick<Swap, 'out' | 'folder'>): Promise<number> {
  const contents = contentsOf(site.files);
  const known = copiesIn(swap, site.generator);
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
    if (bytes < leastBytes || !isText.test(path)) continue;
    const same = paths.get(sha256);
    if (same === undefined) paths.set(sha256, [path]);
    else same.push(path);
  }
  return paths;
}

/** The copies that the site in place has of a content; null where it has none, or not as almanac wrote them. */
function copiesIn({ out, folder }: Pick<Swap, 'out' | 'folder'>, generator: string): (sha256: string) => Copies | null {
  const [inventory, last] = [readInventory(out), openLastSite(out, folder)];
  if (last === null || inventory?.generator !== generator) return () => null;
  const files = new Map(Object.entries(inventory.files));
  const contents = contentsOf(inventory.files);
  const isSound = (path: string): boolean => {
    const entry = files.get(path);
    return entry === undefined || last.holds(path, entry);
  };
  const read = (path: string): Buffer | null => (files.has(path) ? last.read(path) : null);
  const isCompressed = [...files.keys()].some((path) => path.endsWith('.br'));
  return (sha256) => {
    const [first] = contents.get(sha256) ?? [];
    const [br, gz] = [`${first}.br`, `${first}.gz`];
    const isKnown = isCompressed && first !== undefined && isSound(br) && isSound(gz);
    return isKnown ? { br: read(br), gz: read(gz) } : null;
  };
}
