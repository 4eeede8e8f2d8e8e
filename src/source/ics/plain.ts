import { maxNameCharacters } from '../rules.ts';

/** Makes a text one line without white space at its ends, and shortens it to the maximum length of a title. */
export function plain(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= maxNameCharacters) return line;
  const characters = [...line];
  return characters.length <= maxNameCharacters
    ? line
    : `${characters
        .slice(0, maxNameCharacters - 1)
        .join('')
        .trimEnd()}…`;
}
