import { announced, description as ofAnnounced } from './formats/announced.ts';
import { cancelled, description as ofCancelled } from './formats/cancelled.ts';
import { csv, description as ofCsv } from './formats/csv.ts';
import { feed, description as ofFeed } from './formats/feed.ts';
import type { Description, Format } from './formats/format.ts';
import { ics, description as ofIcs } from './formats/ics.ts';
import { json, description as ofJson } from './formats/json.ts';
import { ndjson, description as ofNdjson } from './formats/ndjson.ts';
import { next, description as ofNext } from './formats/next.ts';
import { now, description as ofNow } from './formats/now.ts';
import { past, description as ofPast } from './formats/past.ts';
import { subjects, description as ofSubjects } from './formats/subjects.ts';
import { scopeFolder } from './paths.ts';
import type { Filters, ScopeKind } from './scopes.ts';

export { announced, cancelled, feed, ics, json, next, now, past, subjects };
export type { Format };

/** Every format. Paths, content types, OpenAPI and the files of the site follow from this table. */
export const formats = { json, next, now, announced, cancelled, ics, ndjson, past, csv, subjects, feed } as const;
export type FormatName = keyof typeof formats;

/** What OpenAPI says about each format. A table of its own, which the bundles for hosts and browsers leave out. */
export const descriptions = {
  json: ofJson,
  next: ofNext,
  now: ofNow,
  announced: ofAnnounced,
  cancelled: ofCancelled,
  ics: ofIcs,
  ndjson: ofNdjson,
  past: ofPast,
  csv: ofCsv,
  subjects: ofSubjects,
  feed: ofFeed,
} as const satisfies { readonly [Name in FormatName]: Description<(typeof formats)[Name]> };

/** Whether a kind of scope has the file of a format in a site with (`isBulk`) or without bulk files. */
export function hasFormat({ scopes, bulk }: Format, kind: ScopeKind, isBulk: boolean): boolean {
  return scopes.includes(kind) && (isBulk || !bulk.includes(kind));
}

/** Returns the path of a format's file, relative to `{base_url}`. */
export function formatPath({ file }: Pick<Format, 'file'>, filters: Filters): string {
  return `${scopeFolder(filters)}/${file}`;
}

/** Returns the path of the calendar of a scope, relative to `{base_url}`. */
export function calendarPath(filters: Filters): string {
  return formatPath(ics, filters);
}
