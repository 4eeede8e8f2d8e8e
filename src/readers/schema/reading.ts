import type { SubjectEvents } from '../../catalogue/genre-content.ts';
import type { Genre } from '../../catalogue/model.ts';
import { mappingKeysOf } from './file-kinds.ts';
import type { Spot, TextFinding } from './finding.ts';
import type { PartialSubject, Sources, TableMapping } from './source-types.ts';

/** Which events are kept. Milliseconds since the Unix epoch. */
export interface Times {
  readonly now: number;
  /** Events that were over before are only counted. Default: `now`. */
  readonly pastSince?: number | undefined;
  /** The published ids of events that are left out. */
  readonly ignored?: ReadonlySet<string>;
}

/** The context in which a file is read, besides its text. */
export interface SourceFile extends Times {
  readonly stem: string;
  readonly genre: Genre;
  /** Name and url from a metadata file or a remote source file. They override those in the text. */
  readonly name: string | null;
  readonly url: string | null;
  readonly descriptions?: boolean | undefined;
  readonly private?: boolean | undefined;
  /** The zone that the metadata of a calendar gives it. */
  readonly zone?: string | undefined;
  readonly address?: string | null;
  readonly mapping?: TableMapping | undefined;
  /** The name of the file that has, or could have, the mapping. */
  readonly mappingName?: string;
  /** Whether an invalid row is left out with a warning, and the file is still valid. */
  readonly isLenient?: boolean;
}

/** What a reader saw of a subject. It has no event yet: `readDraft` makes them. */
export interface Draft {
  readonly id: string;
  /** The equivalent JSON source, whose values may be invalid. */
  readonly source: PartialSubject;
  /** Where the subject is named first. */
  readonly spot: Spot;
  /** Returns the place of an event by its index, or of one of its values. */
  readonly spotOf: (index: number, key?: string) => Spot;
  readonly policy: Policy;
  /** The ids of events whose clock time has no zone: only their date is published. */
  readonly floating?: ReadonlySet<string>;
  /**
   * Whether its ids are UIDs, which nobody can change, and old events are kept on purpose.
   */
  readonly isCalendar?: true;
  /** The number of events that began in the past, if the reader did not read them all. */
  readonly pastCount?: number;
  /** The number of upcoming events that are left out because a calendar marks them as private. */
  readonly private?: number;
}

/** What becomes of an event that is not valid. */
export interface Policy {
  /** The parts without which an event is still published. */
  readonly parts: readonly ('ends' | 'time')[];
  readonly rest: 'refuse' | 'leave out';
}

/** Nothing is left out. */
export const refuse: Policy = { parts: [], rest: 'refuse' };

/** What a reader saw in a text. */
export interface TextDrafts {
  readonly drafts: readonly Draft[];
  readonly findings: readonly TextFinding[];
  readonly warnings: readonly TextFinding[];
  readonly doubts: readonly TextFinding[];
  /** The number of properties and components of each name that almanac does not publish. */
  readonly unpublished?: ReadonlyMap<string, number>;
  /** Words what was left out of the drafts. Default: each of its findings is a warning. */
  readonly report?: (results: readonly DraftResult[]) => Report;
}

/** Returns what a reader saw in a text that it cannot read. */
export function noReading(...findings: TextFinding[]): TextDrafts {
  return {
    drafts: [],
    findings,
    warnings: [],
    doubts: [],
  };
}

type Report = Pick<TextDrafts, 'findings' | 'warnings'>;

/** An event that was left out of a draft, or a part of it. */
export interface LeftOut {
  /** The event or the part is left out because of this. */
  readonly finding: TextFinding;
  /** All that is wrong with the event. */
  readonly findings: readonly TextFinding[];
  readonly part: Policy['parts'][number] | null;
}

/** A subject as a draft gives it. */
export interface DraftResult {
  readonly subject: ReadSubject;
  readonly findings: readonly TextFinding[];
  readonly doubts: readonly TextFinding[];
  readonly leftOut: readonly LeftOut[];
}

/** A subject that was read from a file. */
export interface SubjectContent extends SubjectEvents {
  readonly id: string;
  /** Where it is named first. */
  readonly spot: Spot;
  /** The number of its events that are over; in a calendar, of events that began in the past. */
  readonly pastCount: number;
  /** The number of upcoming events that were left out because a calendar marks them as private. */
  readonly private: number;
}

/** A subject with the equivalent JSON source. */
interface ReadSubject extends SubjectContent {
  readonly source: PartialSubject;
}

/**
 * The result of reading a text. If there are findings, only the ids of the subjects are reliable.
 */
export interface TextReading extends Report {
  readonly subjects: readonly ReadSubject[];
  readonly doubts: readonly TextFinding[];
  readonly unpublished?: TextDrafts['unpublished'];
}

/** Returns the mapping in the file of a remote source. Undefined if it has none. */
export function mappingOf(source: Sources['source']): TableMapping | undefined {
  return mappingKeysOf(source).length === 0 ? undefined : source;
}
