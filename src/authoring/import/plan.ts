import type { DisplayPath, Problem } from '../../problem/problem.ts';
import type { Guess } from '../guess.ts';
import type { ShownColumn } from './shown.ts';
import type { TableMapping } from '../../readers/schema/source-types.ts';
import type { SourceText } from '../../readers/schema/finding.ts';
import type { ReadKind } from '../../readers/schema/file-kinds.ts';

export interface ImportOptions {
  readonly data: string;
  readonly file: string;
  readonly displayPath: DisplayPath;
  readonly into: string;
  /** The default zone of events in that genre, and the zone of a table. */
  readonly zone: string | null;
  readonly ownZone: string | null;
  /** Milliseconds since the Unix epoch. Repeating events are expanded up to two years after it. */
  readonly now: number;
  /**
   * The name of the subject, which overrides the name in a calendar. A table without a subject
   * column needs one.
   */
  readonly name: string | null;
  /**
   * Maps the columns of a table that have other names to ours, or to an empty text to ignore them.
   */
  readonly columns: ReadonlyMap<string, string>;
  /** The name of the earlier table that this file replaces. Null: that of the file. */
  readonly replaced: string | null;
  /** Whether the file may have the rows of another one. */
  readonly isBeside: boolean;
}

export interface ImportedFile {
  readonly name: string;
  readonly events: number | null;
  readonly content: string | Uint8Array;
  /** Whether it is shown: of the files of a folder, only the first is, as the folder. */
  readonly isShown?: boolean;
}

/** The files for a calendar or table. */
export interface ImportPlan {
  readonly files: readonly ImportedFile[];
  readonly replaces?: boolean;
  /** The files of a replaced folder that it no longer has. */
  readonly removed?: readonly string[];
  readonly private?: number;
  readonly guess?: Pick<Guess, 'mapping' | 'doubts' | 'unpublished'>;
  /** The columns that are published. */
  readonly columns?: readonly ShownColumn[];
  readonly warnings: readonly Problem[];
}

export interface ImportedText {
  /** The texts of its files if it is a folder. */
  readonly text: string | readonly SourceText[];
  /** Empty for a folder. */
  readonly bytes: Uint8Array;
  readonly kind: ReadKind;
  /** The ending of the copy. */
  readonly ending: string;
  readonly title: string;
  readonly mapping: TableMapping | undefined;
  /** Whether `mapping` comes from an earlier import. */
  readonly isKept: boolean;
}
