/**
 * The pattern of an id: of a category, a subject, an event within its subject, and of each half of
 * a genre's id.
 */
export const idPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The same pattern without its anchors, for use inside other patterns. */
export const idSource = idPattern.source.slice(1, -1);

/** The maximum length of an id. A genre's id is two of them, joined by a hyphen. */
export const maxIdCharacters = 64;

export const maxGenreIdCharacters = 2 * maxIdCharacters + 1;

/**
 * Whether a text has at most `max` characters: code points, each of which takes one or two units of
 * a string.
 */
export function hasAtMostCharacters(text: string, max: number): boolean {
  if (text.length <= max) return true;
  return text.length <= 2 * max && [...text].length <= max;
}

/**
 * Returns a title as an id: a-z and 0-9, with a hyphen for every run of others. Empty if nothing
 * remains.
 */
export function slug(text: string): string {
  // Most titles are ASCII, which NFKD does not change.
  const plain = nonAscii.test(text) ? text.normalize('NFKD').replace(/\p{M}/gu, '') : text;
  const hyphened = plain.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const start = hyphened.startsWith('-') ? 1 : 0;
  const end = hyphened.endsWith('-') ? -1 : undefined;
  return hyphened.slice(start, end);
}

// eslint-disable-next-line no-control-regex -- all characters that are not ASCII
const nonAscii = /[^\u0000-\u007f]/;

/** `board-games` → `Board games`. */
export function nameOfSlug(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1).replaceAll(/[-_]+/g, ' ');
}
