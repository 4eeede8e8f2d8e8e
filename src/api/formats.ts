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
  /**
   * What it holds: the first events of a scope and their number, all of them, or its changes.
   */
  readonly holds: 'first' | 'all' | 'changes';
}

const filtered = ['everything', 'category', 'genre'] as const;

/** Every format. Paths, content types, OpenAPI and the files of the site follow from this table. */
export const formats = {
  /** The list of the events operation (specification 4), which every site has. */
  json: {
    file: 'events.json',
    mediaType: 'application/json',
    scopes: [...filtered, 'month', 'country', 'tag', 'collection', 'pair'],
    holds: 'first',
  },
  /**
   * The first events of the same list and what is on, for devices and for hosts that ignore
   * `limit`.
   */
  next: {
    file: 'next.json',
    mediaType: 'application/json',
    scopes: [...filtered, 'collection'],
    holds: 'first',
  },
  now: {
    file: 'now.json',
    mediaType: 'application/json',
    scopes: filtered,
    holds: 'first',
  },
  announced: {
    file: 'announced.json',
    mediaType: 'application/json',
    scopes: filtered,
    holds: 'first',
  },
  ics: {
    file: 'events.ics',
    mediaType: 'text/calendar',
    scopes: [...filtered, 'country', 'tag', 'collection'],
    holds: 'first',
  },
  /** Every event in every state. The next build remembers the site by it. */
  ndjson: {
    file: 'events.ndjson',
    mediaType: 'application/x-ndjson',
    scopes: ['everything', 'genre'],
    holds: 'all',
  },
  csv: {
    file: 'events.csv',
    mediaType: 'text/csv',
    scopes: ['everything'],
    holds: 'all',
  },
  /** The events that have coordinates, for maps (RFC 7946). */
  geojson: {
    file: 'events.geojson',
    mediaType: 'application/geo+json',
    scopes: ['everything'],
    holds: 'all',
  },
  subjects: {
    file: 'subjects.json',
    mediaType: 'application/json',
    scopes: filtered,
    holds: 'all',
  },
  feed: {
    file: 'feed.xml',
    mediaType: 'application/atom+xml',
    scopes: [...filtered, 'collection'],
    holds: 'changes',
  },
} as const satisfies Readonly<Record<'json' | Companion, Format>>;
export type FormatName = keyof typeof formats;

/** The formats whose files hold the first events of a scope, or all of them. */
export type FormatHolding<H extends Format['holds']> = {
  [N in FormatName]: (typeof formats)[N]['holds'] extends H ? N : never;
}[FormatName];

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
