import type { Category, Genre, Service } from '../catalogue/model.ts';
import type { Markup } from '../render/html.ts';
import { localeOf, type Locale } from './locale.ts';
import { languageOf, speechOf, type Speech } from './words/words.ts';
import { tables } from './words/tables.ts';

/** The address of the project, which `npm run compile` puts in. Null until package.json names its repository. */
declare const projectAddress: string | null;

/** Which pages for people a site has (`pages` in service.json). */
type PageKind = 'home' | 'category' | 'genre' | 'subject' | 'month' | 'list' | 'tool';

const kindsBySwitch: Readonly<Record<'all' | 'genres' | 'home', readonly PageKind[]>> = {
  all: ['home', 'category', 'genre', 'subject', 'month', 'list', 'tool'],
  genres: ['home', 'category', 'genre'],
  home: ['home'],
};

/** The fields of a genre that the rail shows. */
type Named = Pick<Genre, 'id' | 'name' | 'category'>;

/** What the pages of a site have in common. */
export interface PageContext extends Speech {
  readonly service: Service;
  /** Without a final slash. */
  readonly baseUrl: string;
  readonly locale: Locale;
  /** The address of the project. Null until its package names one. */
  readonly homepage: string | null;
  /** Ordered by id. */
  readonly categories: readonly Category[];
  /** By the id of their category. */
  readonly genres: ReadonlyMap<string, readonly Named[]>;
  readonly nameOfGenre: (id: string) => string;
  /** Returns the id of the category of a genre. */
  readonly categoryOf: (genre: string) => string;
  /** Whether the site has pages of a kind. */
  readonly has: (kind: PageKind) => boolean;
  /** The class of a category, which gives it its colour. */
  readonly colour: (category: string) => string;
  /** Caches a fragment that many pages share. The key must include everything it depends on. */
  readonly once: (key: string, render: () => Markup) => Markup;
}

export function pageContext(
  service: Service,
  baseUrl: string,
  categories: readonly Category[],
  genres: readonly Named[],
): PageContext {
  const { lang } = service;
  const language = languageOf(lang);
  const kinds = kindsBySwitch[service.pages];
  const colours = new Map(categories.map(({ id }, index) => [id, `c${index % colourCount}`]));
  const names = new Map(genres.map(({ id, name }) => [id, name]));
  const categoryIds = new Map(genres.map(({ id, category }) => [id, category]));
  const parts = new Map<string, Markup>();
  const ofCategory = new Map(categories.map(({ id }) => [id, genres.filter(({ category }) => category === id)]));
  return {
    ...speechOf(language, tables[language].pages),
    service,
    baseUrl,
    locale: localeOf(lang),
    homepage: typeof projectAddress === 'undefined' ? null : projectAddress,
    categories,
    genres: ofCategory,
    nameOfGenre: (id) => names.get(id) ?? '',
    categoryOf: (genre) => categoryIds.get(genre) ?? '',
    has: (kind) => kinds.includes(kind),
    colour: (category) => colours.get(category) ?? 'c0',
    once: (key, render) => {
      const part = parts.get(key) ?? render();
      parts.set(key, part);
      return part;
    },
  };
}

const colourCount = 10;
