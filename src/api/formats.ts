import type { Companion, Service } from '../catalogue/model.ts';
import { scopeFolder } from './paths.ts';
import type { Filters, ScopeKind } from './scopes.ts';

/** A format turns the events of a scope into one file. `src/render/` has a renderer for each. */
export interface Format {
  /** The name of the file in the folder of its scope. */
  readonly file: string;
  readonly mediaType: string;
  /** The kinds of scope that have the file. */
  readonly scopes: readonly ScopeKind[];
}

const filtered = ['everything', 'category', 'genre'] as const;

/** Every format. Paths, content types, OpenAPI and the files of the site follow from this table. */
export const formats = {
  /** The list of the events operation (specification 4), which every site has. */
  json: {
    file: 'events.json',
    mediaType: 'application/json',
    scopes: [...filtered, 'month', 'country', 'tag', 'collection', 'pair'],
  },
  /**
   * The first events of the same list and what is on, for devices and for hosts that ignore
   * `limit`.
   */
  next: { file: 'next.json', mediaType: 'application/json', scopes: [...filtered, 'collection'] },
  now: { file: 'now.json', mediaType: 'application/json', scopes: filtered },
  announced: { file: 'announced.json', mediaType: 'application/json', scopes: filtered },
  ics: {
    file: 'events.ics',
    mediaType: 'text/calendar',
    scopes: [...filtered, 'country', 'tag', 'collection'],
  },
  /** Every event in every state. The next build remembers the site by it. */
  ndjson: {
    file: 'events.ndjson',
    mediaType: 'application/x-ndjson',
    scopes: ['everything', 'genre'],
  },
  csv: { file: 'events.csv', mediaType: 'text/csv', scopes: ['everything'] },
  subjects: { file: 'subjects.json', mediaType: 'application/json', scopes: filtered },
  feed: {
    file: 'feed.xml',
    mediaType: 'application/atom+xml',
    scopes: [...filtered, 'collection'],
  },
} as const satisfies Readonly<Record<'json' | Companion, Format>>;
export type FormatName = keyof typeof formats;

/** Returns the formats that a kind of scope has in a site. */
export function formatsOf(kind: ScopeKind, service: Pick<Service, 'formats'>): FormatName[] {
  return (Object.keys(formats) as FormatName[]).filter((name) => hasFormat(name, kind, service));
}

/** Whether a kind of scope has the file of a format in a site. */
export function hasFormat(
  name: FormatName,
  kind: ScopeKind,
  service: Pick<Service, 'formats'>,
): boolean {
  const { scopes }: Format = formats[name];
  return scopes.includes(kind) && isWritten(name, service);
}

/** Whether a site has files of a format. */
export function isWritten(name: FormatName, service: Pick<Service, 'formats'>): boolean {
  return name === 'json' || service.formats.includes(name);
}

/** Returns the path of a format's file, relative to `{base_url}`. */
export function formatPath({ file }: Pick<Format, 'file'>, filters: Filters): string {
  return `${scopeFolder(filters)}/${file}`;
}

/** Returns the path of the calendar of a scope, relative to `{base_url}`. */
export function calendarPath(filters: Filters): string {
  return formatPath(formats.ics, filters);
}
