import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSourceBytes } from '../../source/text.ts';

/**
 * Returns the file of a genre that a table is probably a newer copy of, or null: one that has half
 * of its lines, or whose name differs only by the number that browsers give a second download.
 */
export function findEarlier(
  into: string,
  table: string,
  ending: string,
  text: string,
): string | null {
  const lines = linesOf(text);
  for (const name of existsSync(into) ? readdirSync(into) : []) {
    if (!name.endsWith(ending) || name.endsWith('.columns.json') || name === table) continue;
    const stem = name.slice(0, -ending.length);
    const [, first] = /^(.+)-\d{1,2}$/.exec(table.slice(0, -ending.length)) ?? [];
    if (first === stem) return name;
    const bytes = readSourceBytes(join(into, name), () => name);
    if (!Buffer.isBuffer(bytes)) continue;
    const earlier = linesOf(bytes.toString());
    const shared = [...lines].filter((line) => earlier.has(line)).length;
    if (shared > 0 && shared * 2 >= Math.min(lines.size, earlier.size)) return name;
  }
  return null;
}

/** Returns the lines below the first, without white space around them. */
function linesOf(text: string): ReadonlySet<string> {
  const lines = text.split(/[\r\n]+/).slice(1);
  return new Set(lines.map((line) => line.trim()).filter((line) => /\d/.test(line)));
}
