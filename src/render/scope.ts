import { scopeKinds, kindOf, type Filters } from '../api/scopes.ts';
import type { Category, Genre, Service } from '../catalogue/model.ts';

/** The service, how it is published, and the names of its categories and genres. */
export interface RenderContext {
  readonly service: Service;
  /** Without a final slash. */
  readonly baseUrl: string;
  /** The name in the ids of entries of calendars and feeds. It does not depend on the address of the site. */
  readonly authority: string;
  /** When the change log begins, or the time that takes its place in calendars. ISO 8601 UTC with milliseconds. */
  readonly since: string;
  /** By their ids. */
  readonly categories: ReadonlyMap<string, Named>;
  readonly genres: ReadonlyMap<string, Named & Pick<Genre, 'category'>>;
}

type Named = Pick<Category, 'id' | 'name'>;

export function renderContext(
  service: Service,
  categories: readonly Named[],
  genres: readonly (Named & Pick<Genre, 'category'>)[],
  address: Pick<RenderContext, 'baseUrl' | 'authority' | 'since'>,
): RenderContext {
  return { service, ...address, categories: byId(categories), genres: byId(genres) };
}

function byId<T extends Named>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

/** What the files of a scope say about it and about the service. */
export interface Scope extends Pick<RenderContext, 'baseUrl' | 'authority' | 'since'> {
  readonly filters: Filters;
  /** The title of a calendar or feed, such as `Almanac: Television`. */
  readonly title: string;
  /** The name of the service. */
  readonly service: string;
}

/** Describes the scope that some filters select. */
export function describeScope(filters: Filters, context: RenderContext): Scope {
  const { baseUrl, authority, since } = context;
  const service = context.service.name;
  const genre = context.genres.get(filters.genre ?? '');
  const category = context.categories.get(genre?.category ?? filters.category ?? '');
  const names = { service, category: category?.name ?? '', genre: genre?.name ?? '' };
  return { filters, title: scopeKinds[kindOf(filters)].title(names), service, baseUrl, authority, since };
}
