import type { Event, Genre } from '../catalogue/model.ts';
import type { Finding } from './finding.ts';
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
export interface SubjectContent {
  readonly id: string;
  /** Where in the file it first appears. */
  readonly offset: number;
  readonly upcoming: readonly Event[];
  readonly cancelled: readonly Event[];
  readonly withheld: number;
  /** How many upcoming events have a clock time in the file, but no zone: only their date is published. */
  readonly floating: number;
}

/** A subject of another format, with the source file that would say the same. */
export interface ReadSubject extends SubjectContent {
  readonly source: PartlySubject;
}

/** What a text holds; where anything is wrong with it, that counts and not the subjects. */
export interface TextReading {
  readonly subjects: readonly ReadSubject[];
  /** Each with its offset. */
  readonly findings: readonly Finding[];
}

export type ReadText = (text: string, file: SourceFile) => TextReading;

/**
 * The formats beside JSON, by the ending of their files. Their parsers are loaded where there is such a file, and not
 * before.
 */
const textFormats = {
  ics: async (): Promise<ReadText> => (await import('./ics/read-calendar.ts')).readCalendar,
  csv: async (): Promise<ReadText> => (await import('./csv/read-table.ts')).readTable,
} as const;

export type TextFormat = keyof typeof textFormats;
export const textFormatNames = Object.keys(textFormats) as TextFormat[];

/** What reads each of the formats that are asked for. */
export type TextReaders = Readonly<Partial<Record<TextFormat, ReadText>>>;

export async function loadReaders(formats: Iterable<TextFormat>): Promise<TextReaders> {
  const loaded = [...new Set(formats)].map(async (format) => [format, await textFormats[format]()] as const);
  return Object.fromEntries(await Promise.all(loaded));
}

export function isTextFormat(format: string): format is TextFormat {
  return Object.hasOwn(textFormats, format);
}

/** The format that a file's ending names; null where it is none of these. */
export function textFormatOf(name: string): TextFormat | null {
  return textFormatNames.find((format) => name.endsWith(`.${format}`)) ?? null;
}
