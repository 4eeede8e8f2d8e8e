/** Whether a text has at most so many characters: code points, which are one or two units of a string each. */
export function isWithin(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && [...text].length <= most);
}
