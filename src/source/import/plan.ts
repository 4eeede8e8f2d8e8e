import type { DisplayPath, Problem } from '../../problem/problem.ts';
import type { Guess } from '../csv/guess.ts';
import type { TableMapping } from '../json/types.ts';
import type { TextFormat } from '../subject-files.ts';

export interface ImportOptions {
  /** The data folder, in which no folder may be a link. */
  readonly data: string;
  readonly file: string;
  readonly displayPath: DisplayPath;
  /** The folder of the genre that gets the files. */
  readonly into: string;
  /** The default zone of events in that genre. */
  readonly zone: string | null;
  /** Milliseconds since the Unix epoch. Repeating events are expanded up to two years after it. */
  readonly now: number;
  /** The name of the subject, which overrides that of a calendar. A table without a column for it needs one. */
  readonly name: string | null;
  /** Maps the columns of a table that have other names to ours, or to an empty text to ignore them. */
  readonly columns: ReadonlyMap<string, string>;
}

/** A file to write. */
export interface ImportedFile {
  readonly name: string;
  /** The number of its events. Null for a file that only says how to read another. */
  readonly events: number | null;
  readonly content: string | Uint8Array;
}

/** The files for a calendar or table, and everything that is wrong with it. */
export interface ImportPlan {
  readonly files: readonly ImportedFile[];
  readonly problems: readonly Problem[];
  readonly private?: number;
  /** How a table is read that stays as it is. */
  readonly guess?: Guess;
  /** What remains to be corrected in such a table or in its mapping. */
  readonly warnings?: readonly Problem[];
}

/** The file that is imported. */
export interface ImportedText {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly format: TextFormat;
  readonly title: string;
  /** The mapping next to it, together with the options of the command. Undefined if there is neither. */
  readonly mapping: TableMapping | undefined;
}
