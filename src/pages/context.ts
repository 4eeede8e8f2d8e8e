import type { Category, Genre, Service } from '../catalogue/model.ts';
import { groupBy } from '../catalogue/group.ts';
import { isoDate } from '../catalogue/time/time.ts';
import { localeOf, type Locale } from './locale.ts';
import { languageOf } from '../catalogue/language.ts';
import { speechOf, type Speech } from './words/words.ts';
import { tables } from './words/tables.ts';

/**
 * The address of the project, which `npm run compile` puts in. Null until package.json names its
 * repository.
 */
declare const projectAddress: string | null;

type Named = Pick<Genre, 'id' | 'name' | 'category'>;

/** What the pages of a site have in common. */
export interface PageContext extends Speech {
  readonly service: Service;
  /** Without a final slash. */
  readonly baseUrl: string;
  readonly locale: Locale;
  readonly homepage: string | null;
  /** The day of the build, in UTC. */
  readonly today: string;
  /** Ordered by id. */
  readonly categories: readonly Category[];
  /** By the id of their category. */
  readonly genres: ReadonlyMap<string, readonly Named[]>;
  readonly nameOfGenre: (id: string) => string;
  readonly categoryOf: (genre: string) => string;
  /** Whether categories and genres have pages (`pages` in service.json). */
  readonly hasGenrePages: boolean;
  /** Whether subjects, months and so on have pages too. */
  readonly hasAllPages: boolean;
  /** The class of a category, which gives it its colour. */
  readonly colour: (category: string) => string;
}

/** The catalogue that pages are about. */
export interface PagesOf {
  readonly service: Service;
  /** Without a final slash. */
  readonly baseUrl: string;
  readonly categories: readonly Category[];
  /** The time of the build in milliseconds since the Unix epoch. */
  readonly now: number;
}

export function pageContext(catalogue: PagesOf, genres: readonly Named[]): PageContext {
  const { service, baseUrl, categories, now } = catalogue;
  const { lang } = service;
  const language = languageOf(lang);
  const colours = new Map(categories.map(({ id }, index) => [id, `c${index % colourCount}`]));
  const genresById = new Map(genres.map((genre) => [genre.id, genre]));
  return {
    ...speechOf(language, tables[language].pages),
    service,
    baseUrl,
    today: isoDate(now),
    locale: localeOf(lang),
    homepage: typeof projectAddress === 'undefined' ? null : projectAddress,
    categories,
    genres: groupBy(genres, ({ category }) => category),
    nameOfGenre: (id) => genresById.get(id)?.name ?? '',
    categoryOf: (genre) => genresById.get(genre)?.category ?? '',
    hasGenrePages: service.pages !== 'home',
    hasAllPages: service.pages === 'all',
    colour: (category) => colours.get(category) ?? 'c0',
  };
}

const colourCount = 10;
