import { formats } from './formats.ts';
import { frame as csv } from './formats/csv.ts';
import { frame as ndjson } from './formats/ndjson.ts';
import { frame as subjects } from './formats/subjects.ts';
import { publishedFilters, type Filters } from './scopes.ts';

/** The formats whose files `verify` can check one genre at a time. */
export const frames = { ndjson, csv, subjects };
export type JoinedFormat = keyof typeof frames;

/** Returns what a joined file has before the texts of its genres. */
export function headOf(name: JoinedFormat, filters: Filters): string {
  return frames[name].head(publishedFilters(filters));
}

/** The joined formats with their rows in the table of formats. */
export const joinedFormats = (Object.keys(frames) as JoinedFormat[]).map((name) => ({ name, format: formats[name] }));
