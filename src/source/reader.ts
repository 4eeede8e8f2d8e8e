import type { Genre } from '../catalogue/model.ts';
import type { SubjectEvents } from '../catalogue/genre-summary.ts';
import type { TextFinding } from './finding.ts';
import type { PartlySubject } from './subject.ts';

/** What a file in a genre folder is, beside what it says. */
export interface SourceFile {
  /** Its name without the ending: the id of a subject that has the file to itself. */
  readonly stem: string;
  readonly genre: Genre;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What a file beside it gives as name and url of the subject, over what the file itself says. */
  readonly name: string | null;
  readonly url: string | null;
}

/** A subject that was read from a file. */
export interface SubjectContent extends SubjectEvents {
  readonly id: string;
  /** Where in the file it first appears. */
  readonly offset: number;
}

/** A subject of another format, with the source file that would say the same. */
export interface ReadSubject extends SubjectContent {
  readonly source: PartlySubject;
}

/** What a text holds; where anything is wrong with it, that counts, and of the subjects only which they are. */
export interface TextReading {
  readonly subjects: readonly ReadSubject[];
  readonly findings: readonly TextFinding[];
}

export type ReadText = (text: string, file: SourceFile) => TextReading;
