import type { FoundProblem, Spot, TextFinding } from '../schema/finding.ts';
import type { TableMapping } from '../schema/source-types.ts';

/** The cells of a row, as they are written. */
export interface Row {
  readonly cells: readonly string[];
}

/** Named columns, and rows with a cell for each. */
export interface NamedRows {
  readonly names: readonly string[];
  readonly body: readonly Row[];
}

/** What every container of rows yields: named columns, rows, and where each of them is. */
export interface Rows extends NamedRows {
  /** The number of lines above the header line, such as titles. */
  readonly above: number;
  /**
   * Returns the place of a row by its index in `body`, or of its cell in a column. Null: the row of
   * the names.
   */
  readonly spotOf: (row: number | null, column?: number) => Spot;
  /** Whether each row has a cell for each name, so that an empty one was left empty. */
  readonly isSheet?: boolean;
}

export interface ContainerOptions {
  readonly mapping?: TableMapping | undefined;
  /** Returns the index of the row with the names of the columns, for texts that do not say it. */
  readonly findHeader: (rows: readonly Row[]) => number;
}

/** Opens a text as rows. Returns a finding if it holds none. */
export type OpenRows = (text: string, options: ContainerOptions) => Rows | TextFinding;

/** A problem of a row or of one of its cells. The container places it. */
export interface RowFinding {
  readonly problem: FoundProblem;
  /** The index of the row. Null: the row of the names. */
  readonly row: number | null;
  readonly column?: number | undefined;
  /** The row of the earlier occurrence if something is repeated. */
  readonly first?: number | undefined;
}

/** Returns a finding at its place in the source. */
export function placeInRows(finding: RowFinding, { spotOf }: Pick<Rows, 'spotOf'>): TextFinding {
  const { problem, row, column, first } = finding;
  const spot = spotOf(row, column);
  return first === undefined
    ? { problem, ...spot }
    : {
        problem,
        ...spot,
        first: spotOf(first),
      };
}
