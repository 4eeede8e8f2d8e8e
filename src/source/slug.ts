/** Returns a title as an id: a-z and 0-9, with a hyphen for every run of others. Empty if nothing remains. */
export function slug(text: string): string {
  // Most titles are ASCII, which NFKD does not change.
  const plain = nonAscii.test(text) ? text.normalize('NFKD').replace(/\p{M}/gu, '') : text;
  const hyphened = plain.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return hyphened.slice(hyphened.startsWith('-') ? 1 : 0, hyphened.endsWith('-') ? -1 : undefined);
}

// eslint-disable-next-line no-control-regex -- all characters that are not ASCII
const nonAscii = /[^\u0000-\u007f]/;

/** `board-games` → `Board games`. */
export function nameOfSlug(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1).replaceAll(/[-_]+/g, ' ');
}
