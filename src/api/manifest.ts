import { parseJson } from '../catalogue/text.ts';
import { isSitePath } from './address.ts';
import type { Manifest, ManifestEntry } from './documents.ts';

/** Returns the text of `files.json`: every other file of the site, sorted by path. */
export function manifestText(
  generator: string,
  entries: ReadonlyMap<string, ManifestEntry>,
): string {
  const lines: string[] = [];
  for (const [path, { bytes, sha256 }] of entries)
    lines.push(`${JSON.stringify(path)}:{"bytes":${bytes},"sha256":"${sha256}"}`);
  // The closing quotation mark sorts before every character of a path, so the lines sort like their
  // paths.
  return `{"generator":${JSON.stringify(generator)},"files":{${lines.sort().join(',')}}}\n`;
}

/**
 * Parses the text of a manifest. Returns null if it is not the manifest of a site that almanac
 * built.
 */
export function parseManifest(text: string): Manifest | null {
  const manifest = parseJson(text);
  return isManifest(manifest) ? manifest : null;
}

/** Whether a parsed value is the manifest of a site that almanac built. */
export function isManifest(value: unknown): value is Manifest {
  if (!(value instanceof Object && 'generator' in value && 'files' in value)) return false;
  const { generator, files } = value;
  if (typeof generator !== 'string' || !generator.startsWith('almanac/')) return false;
  if (!(files instanceof Object) || Array.isArray(files)) return false;
  return Object.entries(files).every(([path, entry]: [string, Partial<ManifestEntry> | null]) => {
    const { bytes, sha256 } = entry ?? {};
    return (
      isSitePath(path) &&
      Number.isSafeInteger(bytes) &&
      Number(bytes) >= 0 &&
      typeof sha256 === 'string'
    );
  });
}

/** The largest manifest of a folder that is read. V8 has no longer texts. */
export const maxManifestBytes = 512 * 1024 ** 2;
