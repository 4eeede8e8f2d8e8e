/**
 * Returns a text that has a line of source for each of its ideas as one line: a line break with the
 * indentation after it becomes a space.
 */
export function joinLines(text: string): string {
  return text.replaceAll(/\n {4,}/g, ' ');
}
