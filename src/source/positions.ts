import { countUpTo } from './ascending.ts';

/** Finds line and column, both from 1, of an offset in `text`. */
export function placesIn(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    const line = countUpTo(starts, offset);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}
