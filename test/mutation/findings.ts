import { readFileSync } from 'node:fs';

/**
 * A line of the log: that a test file reaches or kills a mutant, or that it fails without one,
 * whose id is then 0.
 */
export interface Finding {
  readonly kind: 'reached' | 'killed' | 'failed';
  readonly id: number;
  readonly file: string;
}

/** Reads the findings of a kind in a log. */
export function readFindings(log: string, wanted: Finding['kind']): Finding[] {
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Finding).filter(({ kind }) => kind === wanted);
}
