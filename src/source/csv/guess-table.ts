import type { TableMapping } from '../json/types.ts';
import { orderKeys } from '../mapping.ts';
import { findSeparator, readRows } from './cells.ts';
import { guessMapping, type Guess } from './guess.ts';

/** The number of rows from which the meaning of columns is guessed. */
const maxSample = 200;

/**
 * Guesses how to read the text of a table, and keeps what `known` already says. `isNeeded` is false for a table whose
 * columns and dates are ours. A text that is not a table suggests nothing.
 */
export function guessTable(text: string, known: TableMapping, title: string): Guess & { readonly isNeeded: boolean } {
  const rows = readRows(text, findSeparator(text));
  const filled = Array.isArray(rows) ? rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')) : [];
  const [header = { cells: [] }, ...body] = filled;
  const names = header.cells.map((cell) => cell.trim());
  const sample = body.slice(0, maxSample).map(({ cells }) => cells);
  const { mapping, doubts } = guessMapping(names, sample, known, title);
  const { columns = {}, ...others } = mapping;
  const isNeeded = Object.keys(columns).length + Object.keys(others).length > 0;
  return { mapping: orderKeys(mapping), doubts, isNeeded };
}
