import type { Location } from './model.ts';

/** A list that the maintainer defines: the union of the entries below. */
export interface Collection {
  readonly id: string;
  readonly name: string;
  /** Ids of categories and genres. */
  readonly categories: readonly string[];
  readonly genres: readonly string[];
  /** `{genre}/{subject}` */
  readonly subjects: readonly string[];
  readonly tags: readonly string[];
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
}

/** The fields that decide in which collections an event is. */
interface Collected {
  readonly genre: string;
  readonly category: string;
  readonly subject: { readonly id: string };
  readonly tags?: readonly string[] | undefined;
  readonly location?: Pick<Location, 'country'> | null | undefined;
}

/** Returns the ids of the collections that an event is in, in the order of the collections. */
export type FindCollections = (event: Collected) => readonly string[];

/** Returns a function that takes the same time for any number of collections. */
export function collectionFinder(collections: readonly Collection[]): FindCollections {
  if (collections.length === 0) return () => nothing;
  const categories = index('categories');
  const genres = index('genres');
  const subjects = index('subjects');
  const tags = index('tags');
  const countries = index('countries');
  return ({ genre, category, subject, tags: eventTags = nothing, location }) => {
    const matches = [categories.get(category), genres.get(genre)];
    if (subjects.size > 0) matches.push(subjects.get(`${genre}/${subject.id}`));
    if (location?.country) matches.push(countries.get(location.country));
    // Previous sites are untrusted: `tags` may be missing.
    if (Array.isArray(eventTags))
      for (const tag of eventTags as readonly string[]) matches.push(tags.get(tag));
    const ids = matches.flatMap((match) => match ?? nothing);
    return ids.length < 2 ? ids : [...new Set(ids)];
  };

  function index(
    key: Exclude<keyof Collection, 'id' | 'name'>,
  ): ReadonlyMap<string, readonly string[]> {
    const byName = new Map<string, string[]>();
    for (const { id, [key]: names } of collections) {
      for (const name of names) byName.set(name, [...(byName.get(name) ?? []), id]);
    }
    return byName;
  }
}

const nothing: readonly string[] = [];
