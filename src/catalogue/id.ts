/** The pattern of an id: of a category, a subject, an event within its subject, and of each half of a genre's id. */
export const idPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The same pattern without its anchors, for use inside other patterns. */
export const idSource = idPattern.source.slice(1, -1);

/** The maximum length of an id. A genre's id is two of them, joined by a hyphen. */
export const maxIdCharacters = 64;

export const maxGenreIdCharacters = 2 * maxIdCharacters + 1;

/** Whether a text has at most `max` characters: code points, each of which takes one or two units of a string. */
export function hasAtMostCharacters(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}
