import type { FoundProblem, TextFinding } from '../schema/finding.ts';
import type { PartialEvent } from '../schema/source-types.ts';
import type { SourceFile } from '../schema/reading.ts';
import type { DateOrder } from '../schema/rules.ts';
import type { Grid } from './cells.ts';
import { required, type Column } from './columns.ts';
import { placeOf, type Layout } from './header.ts';

export interface Table extends Pick<Grid, 'offsetOfCell'> {
  readonly layout: Layout;
  readonly file: SourceFile;
  readonly findings: TextFinding[];
  readonly columns: readonly Column[];
  readonly dates: DateOrder;
  /**
   * Whether a cell that cannot be read is left out, with its row if that needs it. Null: any row.
   */
  readonly leavesOut: (column: Column | null) => boolean;
  readonly skipped: { rows: number; cells: number; readonly findings: TextFinding[] };
  readonly byId: Map<string, SubjectRows>;
  readonly byName: Map<string, SubjectRows>;
}

export interface SubjectRows {
  readonly name: string;
  readonly offset: number;
  entries: TableEvent[];
}

/** A row as an event of a JSON file, and its offset. */
export type TableEvent = { event: PartialEvent; readonly offset: number };

/** A problem of a cell or of a whole row. */
export interface Fault {
  readonly problem: FoundProblem;
  readonly column: Column | null;
  readonly firstOffset?: number | undefined;
}

/**
 * Reports the problems of a row, or counts it as left out. Returns whether its other cells can be
 * used.
 */
export function report(faults: readonly Fault[], offset: number, table: Table): boolean {
  const { leavesOut, skipped, findings } = table;
  let [cells, isLost] = [0, false];
  for (const { problem, column, firstOffset } of faults) {
    const place = column === null ? offset : offsetOfCell(offset, column, table);
    const isLeftOut = leavesOut(column);
    const found = { problem, offset: place, ...(firstOffset !== undefined && { firstOffset }) };
    (isLeftOut ? skipped.findings : findings).push(found);
    if (!isLeftOut) continue;
    cells++;
    isLost ||= column === null || (needed.has(column) && problem.code !== 'bad-time');
  }
  if (isLost) skipped.rows++;
  else skipped.cells += cells;
  return !isLost;
}

/** Without these, a row would say something wrong: a cancelled event would take place. */
const needed: ReadonlySet<Column> = new Set([...required, 'status', 'cancelled']);

export function leaveOut(problem: FoundProblem, offset: number, { skipped }: Table): void {
  skipped.findings.push({ problem, offset });
  skipped.cells++;
}

/**
 * Returns the warning about skipped rows, and three reasons. They are problems if nothing could be
 * read.
 */
export function warningsOf({ skipped, byId, findings }: Table): TextFinding[] {
  const [first, ...others] = skipped.findings.toSorted((a, b) => a.offset - b.offset).slice(0, 3);
  if (first === undefined) return [];
  if ([...byId.values()].every(({ entries }) => entries.length === 0)) {
    findings.push(first, ...others);
    return [];
  }
  const { rows, cells } = skipped;
  return [
    { problem: { code: 'skipped-rows', rows, cells }, offset: first.offset },
    first,
    ...others,
  ];
}

/**
 * Returns the offset of a cell in the row at `offset`, or the offset of the row if it has no such
 * column.
 */
export function offsetOfCell(
  offset: number,
  column: Column,
  { offsetOfCell: place, layout }: Table,
): number {
  const index = placeOf(layout, column);
  return index === -1 ? offset : place(offset, index);
}
