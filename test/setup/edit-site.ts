import { hash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Files = Record<string, { readonly bytes: number; readonly sha256: string }>;

/**
 * Changes the text of a file of a site, or removes it for null. With `isListed`, the manifest lists
 * the change.
 */
export function editSite(
  site: string,
  path: string,
  change: (text: string) => string | null,
  isListed = false,
): void {
  const file = join(site, path);
  const text = change(readFileSync(file, 'utf8'));
  if (text === null) rmSync(file);
  else writeFileSync(file, text);
  if (!isListed) return;
  editManifest(site, (files) => {
    if (text === null) delete files[path];
    else files[path] = { bytes: Buffer.byteLength(text), sha256: hash('sha256', text) };
  });
}

/** Changes what the manifest of a site lists. */
export function editManifest(site: string, change: (files: Files) => void): void {
  editSite(site, 'files.json', (text) => {
    const manifest = JSON.parse(text) as { readonly files: Files };
    change(manifest.files);
    return JSON.stringify(manifest);
  });
}
