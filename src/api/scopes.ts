/** The filters that select scopes, in the order of their paths: `category/tv/genre/drama-tv`. */
export const filterNames = ['category', 'genre'] as const;
type FilterName = (typeof filterNames)[number];

/** What selects a scope. A filter that is missing, null or empty does not narrow it. */
export type Filters = { readonly [Name in FilterName]?: string | null };

/** The ids that each filter can have. A filter that is missing has none. */
export type Ids = { readonly [Name in FilterName]?: readonly string[] };

/** A kind of scope. A scope is a selection of events that has files of its own. */
interface KindOfScope {
  /** The filters that select a scope of this kind. Its folder and the parameters of its paths follow. */
  readonly filters: readonly FilterName[];
  /** Returns the title of a calendar or feed. */
  readonly title: (names: ScopeNames) => string;
}

/** The names of a service, and of the category and genre of a scope if it has them. */
interface ScopeNames {
  readonly service: string;
  readonly category: string;
  readonly genre: string;
}

/** Every kind of scope. The formats in `formats/` say which of them they exist for. */
export const scopeKinds = {
  everything: { filters: [], title: ({ service }) => service },
  category: { filters: ['category'], title: ({ service, category }) => `${service}: ${category}` },
  genre: { filters: ['genre'], title: ({ service, category, genre }) => `${service}: ${genre} (${category})` },
  pair: {
    filters: ['category', 'genre'],
    title: ({ service, category, genre }) => `${service}: ${genre} (${category})`,
  },
} as const satisfies Readonly<Record<string, KindOfScope>>;
export type ScopeKind = keyof typeof scopeKinds;

/** Returns the ids by which an event is found. A genre names those that all of its events have in common. */
export function idsOf({ category, genre }: { readonly category: string; readonly genre: string }): Ids {
  return { category: [category], genre: [genre] };
}

/** Returns the scopes of a kind: one for each combination of ids. */
export function scopesOfKind(kind: ScopeKind, ids: Ids): Filters[] {
  return scopeKinds[kind].filters.reduce<Filters[]>(
    (scopes, name) => scopes.flatMap((filters) => (ids[name] ?? []).map((id) => ({ ...filters, [name]: id }))),
    [{}],
  );
}

/** Returns the scopes of every kind. */
export function scopesOf(ids: Ids): Filters[] {
  return kinds().flatMap((kind) => scopesOfKind(kind, ids));
}

/** Returns the kind of scope that some filters select. */
export function kindOf(filters: Filters): ScopeKind {
  const isOfKind = (kind: ScopeKind): boolean => {
    const { filters: own }: KindOfScope = scopeKinds[kind];
    return filterNames.every((name) => own.includes(name) === Boolean(filters[name]));
  };
  return kinds().find(isOfKind) ?? 'everything';
}

function kinds(): ScopeKind[] {
  return Object.keys(scopeKinds) as ScopeKind[];
}

/** Returns the filters as documents name them: `genre` and `category` always. */
export function publishedFilters({ genre, category, ...others }: Filters) {
  return { genre: genre ?? null, category: category ?? null, ...others };
}
