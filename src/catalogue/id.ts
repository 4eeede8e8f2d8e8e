/** What an id is: of a category, of a subject, of an event in its subject, and each of the two parts of a genre's. */
export const idPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The same without its ends, for patterns that an id is a part of. */
export const idSource = idPattern.source.slice(1, -1);

/** The most characters of an id; a genre's is two of them and the hyphen between. */
export const mostIdCharacters = 64;
