/**
 * The kinds of scope that have events of any genre, in the order of `lists.json`. Each is a filter
 * of its own.
 */
export const listKinds = ['month', 'country', 'tag', 'collection'] as const;
export type ListKind = (typeof listKinds)[number];

/** The filters that select scopes, in the order of their paths: `category/tv/genre/drama-tv`. */
export const filterNames = ['category', 'genre', ...listKinds] as const;
type FilterName = (typeof filterNames)[number];

/** What selects a scope. A filter that is missing, null or empty does not narrow it. */
export type Filters = { readonly [Name in FilterName]?: string | null };

/** The ids that each filter can have. A filter that is missing has none. */
export type Ids = { readonly [Name in FilterName]?: readonly string[] };

/** A kind of scope. A scope is a selection of events that has files of its own. */
interface KindOfScope {
  /**
   * The filters that select a scope of this kind. Its folder and the parameters of its paths
   * follow.
   */
  readonly filters: readonly FilterName[];
  /** Returns the title of a calendar or feed. */
  readonly title: (names: ScopeNames) => string;
  /** Whether it has files even if it has no upcoming event. */
  readonly isPermanent: boolean;
}

/** The names of a service, and of the category, genre or list of a scope if it has them. */
type ScopeNames = Readonly<Record<'service' | 'category' | 'genre' | 'list', string>>;

const listTitle = ({ service, list: name }: ScopeNames): string => `${service}: ${name}`;

const genreTitle = ({ service, category, genre }: ScopeNames): string =>
  `${service}: ${genre} (${category})`;

/** Every kind of scope. The rows of `formats.ts` say which of them they exist for. */
export const scopeKinds = {
  everything: { filters: [], title: ({ service }) => service, isPermanent: true },
  category: {
    filters: ['category'],
    title: ({ service, category }) => `${service}: ${category}`,
    isPermanent: true,
  },
  genre: {
    filters: ['genre'],
    title: genreTitle,
    isPermanent: true,
  },
  pair: {
    filters: ['category', 'genre'],
    title: genreTitle,
    isPermanent: true,
  },
  month: { filters: ['month'], title: listTitle, isPermanent: false },
  country: { filters: ['country'], title: listTitle, isPermanent: false },
  tag: { filters: ['tag'], title: listTitle, isPermanent: false },
  collection: { filters: ['collection'], title: listTitle, isPermanent: true },
} as const satisfies Readonly<Record<string, KindOfScope>>;
export type ScopeKind = keyof typeof scopeKinds;

const kinds = Object.keys(scopeKinds) as ScopeKind[];

/**
 * Returns the ids by which an event is found. A genre names those that all of its events have in
 * common.
 */
export function idsOf({
  category,
  genre,
}: {
  readonly category: string;
  readonly genre: string;
}): Ids {
  return {
    category: [category],
    genre: [genre],
  };
}

/** The fields that put an event into lists. */
interface Listed {
  readonly date: string;
  readonly location: { readonly country: string | null } | null;
  readonly tags: readonly string[];
}

/**
 * Returns the ids of the months, countries and tags of an event. Which collections it is in depends
 * on the catalogue.
 */
export const listIds = {
  month: ({ date }: Listed) => [date.slice(0, 'yyyy-mm'.length)],
  country: ({ location }: Listed) => (location?.country ? [location.country.toLowerCase()] : []),
  tag: ({ tags }: Listed) => tags,
} as const satisfies Partial<Record<ListKind, (record: Listed) => readonly string[]>>;

/** Returns the scopes of a kind: one for each combination of ids. */
export function scopesOfKind(kind: ScopeKind, ids: Ids): Filters[] {
  let scopes: Filters[] = [{}];
  for (const name of scopeKinds[kind].filters) {
    const values = ids[name] ?? [];
    scopes = scopes.flatMap((filters) => values.map((id) => ({ ...filters, [name]: id })));
  }
  return scopes;
}

/** Returns the scopes of every kind. */
export function scopesOf(ids: Ids): Filters[] {
  return kinds.flatMap((kind) => scopesOfKind(kind, ids));
}

/** Returns the kind of scope that some filters select. */
export function kindOf(filters: Filters): ScopeKind {
  const isOfKind = (kind: ScopeKind) => {
    const { filters: kindFilters }: KindOfScope = scopeKinds[kind];
    return filterNames.every((name) => kindFilters.includes(name) === Boolean(filters[name]));
  };
  return kinds.find(isOfKind) ?? 'everything';
}

/** Returns the list that some filters select, or null if they select another kind of scope. */
export function listOf(filters: Filters): { readonly kind: ListKind; readonly id: string } | null {
  for (const kind of listKinds) if (filters[kind]) return { kind, id: filters[kind] };
  return null;
}

/**
 * Returns the filters as documents name them: `genre` and `category` always, and the list if it is
 * that of one.
 */
export function publishedFilters(filters: Filters) {
  const { genre = null, category = null } = filters;
  const list = listOf(filters);
  const listed: Partial<Record<ListKind, string>> = list === null ? {} : { [list.kind]: list.id };
  return { genre, category, ...listed };
}
