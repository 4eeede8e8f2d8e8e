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
  readonly address?: string | null;
  readonly mapping?: TableMapping | undefined;
  /** The name of the file that has, or could have, the mapping. */
  readonly mappingName?: string;
  /**
   * Whether an invalid event is left out with a warning, and the file is still valid. For remote
   * sources.
   */
  readonly isLenient?: boolean;
}

/** A subject that was read from a file. */
export interface SubjectContent extends SubjectEvents {
  readonly id: string;
  /** Where it is named first. */
  readonly spot: Spot;
  /** The number of its events that are over; in a calendar, of events that began in the past. */
  readonly pastCount: number;
  /** The number of upcoming events that were left out because a calendar marks them as private. */
  readonly private?: number;
}

/** A subject of a calendar or table, with the equivalent JSON source. */
export interface ReadSubject extends SubjectContent {
  readonly source: PartialSubject;
}

/**
 * The result of reading a text. If there are findings, only the ids of the subjects are reliable.
 */
export interface TextReading {
  readonly subjects: readonly ReadSubject[];
  readonly findings: readonly TextFinding[];
  readonly warnings: readonly TextFinding[];
  readonly doubts: readonly TextFinding[];
  /** The number of properties and components of each name that almanac does not publish. */
  readonly unpublished?: ReadonlyMap<string, number>;
}

/** Returns the mapping in the file of a remote source. Undefined if it has none. */
export function mappingOf(source: Sources['source']): TableMapping | undefined {
  return mappingKeysOf(source).length === 0 ? undefined : source;
}
