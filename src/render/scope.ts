import { kindOf, listOf, scopeKinds, type Filters } from '../api/scopes.ts';
import type { Collection } from '../catalogue/collection.ts';
import { memoize } from '../catalogue/time/memoize.ts';
import { hasMemory, type Category, type Genre, type Service } from '../catalogue/model.ts';
import type { CalendarSite } from './calendar-event.ts';
import { escapeText } from './content-line.ts';

/** The service, how it is published, and the names of its categories and genres. */
export interface RenderContext extends CalendarSite {
  readonly service: Service;
  /** Without a final slash. */
  readonly baseUrl: string;
  /**
   * The name in the ids of entries of calendars and feeds. It does not depend on the address of the
   * site.
   */
  readonly authority: string;
  /**
   * When the change log begins, or the time that takes its place in calendars. ISO 8601 UTC with
   * milliseconds.
   */
  readonly since: string;
  /** By their ids. */
  readonly categories: ReadonlyMap<string, Named>;
  readonly genres: ReadonlyMap<string, Named & Pick<Genre, 'category'>>;
  readonly collections: ReadonlyMap<string, Collection>;
}

type Named = Pick<Category, 'id' | 'name'>;

/** Returns what the files of all scopes have in common. */
export function renderContext(
  service: Service,
  categories: readonly Named[],
  genres: readonly (Named & Pick<Genre, 'category'>)[],
  plan: Pick<RenderContext, 'baseUrl' | 'authority' | 'since'> & {
    readonly collections: readonly Collection[];
  },
): RenderContext {
  const { baseUrl, authority, since } = plan;
  const maps = {
    categories: byId(categories),
    genres: byId(genres),
    collections: byId(plan.collections),
  };
  // Without a log, use a fixed date, so that calendars keep their bytes.
  const logStart = hasMemory(service) ? since : '2020-01-01T00:00:00.000Z';
  const categoriesOf = memoize((id: string) => {
    const genre = maps.genres.get(id);
    const category = maps.categories.get(genre?.category ?? '');
    return [category, genre].map((entry) => escapeText(entry?.name ?? '')).join(',');
  });
  return {
    service,
    baseUrl,
    authority,
    since: logStart,
    lang: service.lang,
    categoriesOf,
    ...maps,
  };
}

function byId<T extends Named>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

/** What the files of a scope say about it and about the service. */
export interface Scope extends Pick<RenderContext, 'baseUrl' | 'authority' | 'since'> {
  /** The language of the words of the scope. Default: English. */
  readonly lang?: string;
  readonly filters: Filters;
  /** The title of a calendar or feed, such as `Almanac: Television`. */
  readonly title: string;
  /** The name of the service. */
  readonly service: string;
}

/** Describes the scope that some filters select. */
export function describeScope(filters: Filters, context: RenderContext): Scope {
  const { baseUrl, authority, since, lang } = context;
  const service = context.service.name;
  const genre = context.genres.get(filters.genre ?? '');
  const category = context.categories.get(genre?.category ?? filters.category ?? '');
  const list = listName(filters, context);
  const names = {
    service,
    category: category?.name ?? '',
    genre: genre?.name ?? '',
    list,
  };
  return {
    filters,
    title: scopeKinds[kindOf(filters)].title(names),
    service,
    baseUrl,
    authority,
    since,
    lang,
  };
}

/**
 * Returns the name of the month, country, tag or collection that some filters select; otherwise an
 * empty text.
 */
export function listName(filters: Filters, { service, collections }: RenderContext): string {
  const { kind, id } = listOf(filters) ?? { kind: 'tag', id: '' };
  if (kind === 'collection') return collections.get(id)?.name ?? id;
  if (kind === 'month') return monthFormat(service.lang).format(Date.parse(id));
  if (kind === 'country') return countryNames(service.lang).of(id.toUpperCase()) ?? id;
  return id;
}

// For a language that Intl does not know, the names are English. Without `en`, they would be those
// of the machine.
const countryNames = memoize(
  (lang: string) => new Intl.DisplayNames([lang, 'en'], { type: 'region' }),
);
const monthFormat = memoize(
  (lang: string) =>
    new Intl.DateTimeFormat([lang, 'en'], {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
      calendar: 'gregory',
    }),
);
