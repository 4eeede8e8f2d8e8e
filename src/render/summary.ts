import type {
  AnnouncementRecord,
  CategoryRecord,
  EventRecord,
  GenreRecord,
} from '../api/documents.ts';
import { calendarLimit, listLimit, scopeFolder } from '../api/paths.ts';
import { kindOf, listIds, listKinds, scopeKinds, scopesOf, type Filters } from '../api/scopes.ts';
import {
  collectionFinder,
  type Collection,
  type FindCollections,
} from '../catalogue/collection.ts';
import type { Category, Totals } from '../catalogue/model.ts';
import { compareTexts, Soonest } from '../catalogue/soonest.ts';
import { mapPoint, type MapPoint } from './geojson.ts';
import {
  byEnd,
  byNewest,
  byStart,
  byText,
  firstEvents,
  listTotals,
  type FirstEvents,
  type GenreRecords,
  type ListedEvent,
  type Published,
  type ScopeTotals,
} from './records.ts';

/** The genres of a catalogue added up, in any order. */
export interface Sum {
  readonly genres: readonly GenreRecord[];
  /** The scopes that can have events of several genres. */
  readonly scopes: readonly ScopeSummary[];
  /**
   * The soonest events of each genre, by its id, for the feeds of a catalogue in which nothing has
   * changed yet.
   */
  readonly soonest: ReadonlyMap<string, readonly EventRecord[]>;
  /**
   * The number of upcoming events whose source has a clock time but no zone: only their date is
   * published.
   */
  readonly floating: number;
  /** The own fields of events that are upcoming or under way, in order. */
  readonly extraKeys: readonly string[];
  /** The events with coordinates that are upcoming or under way, in any order. */
  readonly points: readonly MapPoint[];
}

/** The number of events in a feed before anything has changed. */
export const firstEntries = 20;

/** The first events of a scope, and how many it has. */
export interface ScopeSummary extends FirstEvents {
  readonly filters: Filters;
  readonly totals: ScopeTotals;
}

/** The catalogue as a whole. Its lists are ordered by id. */
export interface Summary extends Sum {
  readonly totals: Totals;
  readonly categories: readonly CategoryRecord[];
  readonly everything: ScopeSummary;
}

/** Adds up genres, in any order, in memory bounded by the number of scopes. */
export class SummaryBuilder {
  readonly #genres: GenreRecord[] = [];
  readonly #scopes = new Map<string, ScopeBuilder>();
  readonly #soonest = new Map<string, readonly EventRecord[]>();
  readonly #extraKeys = new Set<string>();
  readonly #points: MapPoint[] = [];
  readonly #findCollections: FindCollections;
  #floating = 0;

  constructor(categories: readonly Category[], collections: readonly Collection[]) {
    const ids = {
      category: categories.map(({ id }) => id),
      collection: collections.map(({ id }) => id),
    };
    for (const filters of scopesOf(ids)) this.#scopeAt(filters);
    this.#findCollections = collectionFinder(collections);
  }

  add(content: GenreRecords): void {
    const { id, name, category } = content.genre;
    const totals = listTotals(content);
    this.#genres.push({
      id,
      name,
      category,
      subjects: totals.subjects,
      upcoming: totals.upcoming,
    });
    this.#floating += content.floating;
    for (const { record } of [...content.upcoming, ...content.under_way]) {
      for (const key in record.extra) this.#extraKeys.add(key);
      const point = mapPoint(record);
      if (point !== null) this.#points.push(point);
    }
    this.#soonest.set(
      id,
      content.upcoming.slice(0, firstEntries).map(({ record }) => record),
    );
    const first = { ...firstEvents(content), totals };
    for (const filters of [{}, { category }]) this.#scopeAt(filters).add(first);
    const idsIn = {
      ...listIds,
      collection: this.#findCollections,
    };
    for (const list of datedLists)
      for (const event of content[list])
        for (const kind of listKinds)
          for (const listId of idsIn[kind](event.record))
            this.#scopeAt({ [kind]: listId }).addEvent(list, event);
  }

  addAll({ genres, scopes, soonest, floating, extraKeys, points }: Sum): void {
    for (const genre of genres) this.#genres.push(genre);
    for (const scope of scopes) this.#scopeAt(scope.filters).add(scope);
    for (const [genre, events] of soonest) this.#soonest.set(genre, events);
    this.#floating += floating;
    for (const key of extraKeys) this.#extraKeys.add(key);
    for (const point of points) this.#points.push(point);
  }

  build(): Sum {
    const scopes = Array.from(this.#scopes.values(), (scope) => scope.build());
    const extraKeys = [...this.#extraKeys].toSorted();
    return {
      genres: this.#genres,
      scopes,
      soonest: this.#soonest,
      floating: this.#floating,
      extraKeys,
      points: this.#points,
    };
  }

  #scopeAt(filters: Filters): ScopeBuilder {
    const folder = scopeFolder(filters);
    const builder = this.#scopes.get(folder) ?? new ScopeBuilder(filters);
    this.#scopes.set(folder, builder);
    return builder;
  }
}

/** The maximum number of tags that the events of a catalogue may have. */
export const maxTags = 500;

/** The lists of events that a month, country, tag or collection has. */
const datedLists = ['upcoming', 'under_way', 'cancelled', 'over'] as const;
type ListName = (typeof datedLists)[number];

/** Adds up the categories of a catalogue, which are ordered by id. */
export function sumUp(categories: readonly Category[], { genres, scopes, ...rest }: Sum): Summary {
  const sum = (list: readonly GenreRecord[], count: 'subjects' | 'upcoming') =>
    list.reduce((total, genre) => total + genre[count], 0);
  const records = categories.map(({ id, name }) => {
    const categoryGenres = genres.filter(({ category }) => category === id);
    return {
      id,
      name,
      genres: categoryGenres.length,
      upcoming: sum(categoryGenres, 'upcoming'),
    };
  });
  const subjects = sum(genres, 'subjects');
  const upcoming = sum(genres, 'upcoming');
  return {
    totals: {
      genres: genres.length,
      subjects,
      upcoming,
      categories: categories.length,
    },
    categories: records,
    genres: genres.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    scopes: scopes
      .filter((scope) => scope.totals.upcoming > 0 || scopeKinds[kindOf(scope.filters)].isPermanent)
      .sort(byFolder),
    everything:
      scopes.find(({ filters }) => kindOf(filters) === 'everything') ??
      new ScopeBuilder({}).build(),
    ...rest,
  };
}

/** The order of scopes: by kind, then by id. */
function byFolder({ filters: a }: ScopeSummary, { filters: b }: ScopeSummary): number {
  const [ofA, ofB] = [a, b].map((filters) => Object.keys(scopeKinds).indexOf(kindOf(filters)));
  return (ofA ?? 0) - (ofB ?? 0) || compareTexts(scopeFolder(a), scopeFolder(b));
}

const byPeriod = byText<AnnouncementRecord>(({ window }) => window.until);

/** Adds up the events of a scope. */
export class ScopeBuilder {
  readonly #filters: Filters;
  readonly #dated: Readonly<Record<ListName, Soonest<ListedEvent>>>;
  readonly #announced = new Soonest<Published<AnnouncementRecord>>(listLimit, byPeriod);
  readonly #totals = {
    upcoming: 0,
    under_way: 0,
    cancelled: 0,
    announced: 0,
    over: 0,
    subjects: 0,
  };

  constructor(filters: Filters) {
    this.#filters = filters;
    this.#dated = {
      upcoming: new Soonest(calendarLimit, byStart),
      under_way: new Soonest(listLimit, byEnd),
      cancelled: new Soonest(listLimit, byStart),
      over: new Soonest(listLimit, byNewest),
    };
  }

  add(scope: Omit<ScopeSummary, 'filters'>): void {
    for (const list of datedLists) this.#dated[list].addAll(scope[list]);
    this.#announced.addAll(scope.announced);
    for (const name of Object.keys(scope.totals) as (keyof ScopeTotals)[])
      this.#totals[name] += scope.totals[name];
  }

  addEvent(list: ListName, event: ListedEvent): void {
    this.#totals[list]++;
    this.#dated[list].add(event);
  }

  build(): ScopeSummary {
    const { upcoming, under_way, cancelled, over } = this.#dated;
    return {
      filters: this.#filters,
      upcoming: upcoming.list(),
      under_way: under_way.list(),
      cancelled: cancelled.list(),
      announced: this.#announced.list(),
      over: over.list(),
      totals: this.#totals,
    };
  }
}
