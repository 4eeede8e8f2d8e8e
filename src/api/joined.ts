import type { EventFilters } from './documents.ts';
import { formats, type FormatName } from './formats.ts';
import type { Filters } from './paths.ts';

/** The text before, between and after the texts of genres (ordered by id) in one file of a scope. */
export interface Frame {
  readonly head: (filters: EventFilters) => string;
  readonly separator: string;
  readonly tail: string;
}

/** The columns of `events.csv`, in order. */
export const csvColumns = [
  'id',
  'title',
  'subject_id',
  'subject',
  'genre',
  'category',
  'starts_at',
  'ends_at',
  'date',
  'end_date',
  'zone',
  'time_known',
  'precision',
  'location',
  'address',
  'country',
  'latitude',
  'longitude',
  'url',
  'upcoming_until',
  'over_at',
] as const;

/** The formats whose files a build can write, and `verify` can check, one genre at a time. */
export const frames = {
  ndjson: { head: () => '', separator: '', tail: '' },
  // Excel reads a table as UTF-8 only if it begins with a byte order mark.
  csv: { head: () => `\ufeff${csvColumns.join(',')}\r\n`, separator: '', tail: '' },
  subjects: {
    head: (filters) => `{"filters":${JSON.stringify(filters)},"subjects":[`,
    separator: ',',
    tail: ']}\n',
  },
} as const satisfies Partial<Record<FormatName, Frame>>;
export type JoinedFormat = keyof typeof frames;

/** Returns what a joined file has before the texts of its genres. */
export function headOf(name: JoinedFormat, { genre, category }: Filters): string {
  return frames[name].head({ genre: genre ?? null, category: category ?? null });
}

/** The joined formats with their rows in the table of formats. */
export const joinedFormats = (Object.keys(frames) as JoinedFormat[]).map((name) => ({ name, format: formats[name] }));
