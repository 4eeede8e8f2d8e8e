import type { FoundProblem } from '../schema/finding.ts';
import type { PartialEvent } from '../schema/source-types.ts';
import type { SourceFile } from '../schema/reading.ts';
import type { DateOrder } from '../schema/rules.ts';
import type { RowFinding } from './rows.ts';
import { required, type Column } from './columns.ts';
import { placeOf, type Layout } from './header.ts';

export interface Table {
  readonly layout: Layout;
  readonly isSheet: boolean;
  readonly file: SourceFile;
  readonly findings: RowFinding[];
  readonly columns: readonly Column[];
  readonly dates: DateOrder;
  /**
   * Whether a cell that cannot be read is left out, with its row if that needs it. Null: any row.
   */
  readonly leavesOut: (column: Column | null) => boolean;
  readonly skipped: {
    rows: number;
    cells: number;
    /** Rows that say what another says. */
    repeated: number;
    /** Rows that a column marks as not for the public. */
    hidden: number;
    readonly findings: RowFinding[];
  };
  readonly byId: Map<string, SubjectRows>;
  readonly byName: Map<string, SubjectRows>;
}

export interface SubjectRows {
  readonly name: string;
  /** The first row that names it. */
  readonly row: number;
  entries: TableEvent[];
}

/** A row as an event of a JSON file. */
export type TableEvent = { event: PartialEvent; readonly row: number };

/** A problem of a cell or of a whole row. */
export interface Fault {
  readonly problem: FoundProblem;
  readonly column: Column | null;
  readonly first?: number | undefined;
}

/**
 * Reports the problems of a row, or counts it as left out. Returns whether its other cells can be
 * used.
 */
export function report(faults: readonly Fault[], row: number, table: Table): boolean {
  const { leavesOut, skipped, findings, layout } = table;
  let [cells, isLost] = [0, false];
  for (const { problem, column, first } of faults) {
    const index = column === null ? undefined : placeOf(layout, column);
    const isLeftOut = leavesOut(column);
    (isLeftOut ? skipped.findings : findings).push({
      problem,
      row,
      column: index,
      first,
    });
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

/** Counts a cell that is left out, and keeps the problem for a warning. */
export function leaveOut(problem: FoundProblem, row: number, { skipped }: Table): void {
  skipped.findings.push({ problem, row });
  skipped.cells++;
}
