import type { SubjectEvents } from '../catalogue/genre-summary.ts';
import type { Genre } from '../catalogue/model.ts';
import type { TextFinding } from './finding.ts';
import type { TextFormat } from './subject-files.ts';
import type { PartialSubject } from './subject.ts';

/** What a reader has to know about a file besides its text. */
export interface SourceFile {
  /** The file's name without the extension. It is the id of a calendar's subject. */
  readonly stem: string;
  readonly genre: Genre;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Name and url from a metadata file or a remote source file. They override those in the text. */
  readonly name: string | null;
  readonly url: string | null;
  /** The columns of a table that have other names: which of ours each is, or an empty text to ignore it. */
  readonly columns?: ReadonlyMap<string, string>;
  /** Whether an invalid event costs that event alone, with a warning. For files that their reader cannot fix. */
  readonly isLenient?: boolean;
}

/** A subject that was read from a file. */
export interface SubjectContent extends SubjectEvents {
  readonly id: string;
  /** The offset of its first appearance in the file. */
  readonly offset: number;
  /** The number of its events that are over, or that repeat since a time that is past. */
  readonly past: number;
  /** The number of upcoming events that a calendar marks as private. They are published all the same. */
  readonly private?: number;
}

/** A subject of a calendar or table, with the JSON source that would say the same. */
export interface ReadSubject extends SubjectContent {
  readonly source: PartialSubject;
}

/** What a reader found in a text. If there are findings, only the ids of the subjects are reliable. */
export interface TextReading {
  readonly subjects: readonly ReadSubject[];
  readonly findings: readonly TextFinding[];
  /** What is wrong with the events that a lenient reading left out. */
  readonly warnings: readonly TextFinding[];
  /** Starts that are valid, but probably not meant. */
  readonly doubts: readonly TextFinding[];
  /** What a text says and almanac has no place for: how often each name occurs. */
  readonly unpublished?: ReadonlyMap<string, number>;
}

export type ReadText = (text: string, file: SourceFile) => TextReading;

/** Each reader and its parser are loaded once a file needs them. */
const readers: Readonly<Record<TextFormat, () => Promise<ReadText>>> = {
  ics: async () => (await import('./ics/read-calendar.ts')).readCalendar,
  csv: async () => (await import('./csv/read-table.ts')).readTable,
};

export async function loadReader(format: TextFormat): Promise<ReadText> {
  return readers[format]();
}
