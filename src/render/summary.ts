import type { AnnouncementRecord, CategoryRecord, EventRecord, GenreRecord, SubjectRecord } from '../api/documents.ts';
import { exampleLength } from '../api/openapi/examples.ts';
import { calendarLimit, listLimit, pastLimit, scopeFolder } from '../api/paths.ts';
import {
  idsOf,
  kindOf,
  listIds,
  listKinds,
  listOf,
  scopeKinds,
  scopesOf,
  type Filters,
  type ListKind,
} from '../api/scopes.ts';
import { collectionFinder, type Collection } from '../catalogue/collection.ts';
import type { Category, Totals } from '../catalogue/model.ts';
import { compareTexts, Soonest } from '../catalogue/soonest.ts';
import type { AnnouncementText, EventText, EventTexts, ScopeTotals, TextOf } from './event-texts.ts';
import { byEnd, byNewest, byStart, byText, listTotals, type GenreRecords, type ListedEvent } from './records.ts';
import { exampleSubject, type SubjectExample } from './subject-files.ts';
import { subjectRecords } from './subjects.ts';

/** The genres of a catalogue added up, in any order. Plain data: it comes from threads. */
export interface Sum {
  readonly genres: readonly GenreRecord[];
  /** The scopes that can have events of several genres. */
  readonly scopes: readonly ScopeSummary[];
  /** The genre that the examples of the interface are taken from, with as many records as they show. At most one. */
  readonly example: readonly ExampleGenre[];
  /** The number of upcoming events whose source has a clock time but no zone: only their date is published. */
  readonly floating: number;
}

/** The first events of a scope, and how many it has. */
export interface ScopeSummary extends EventTexts {
  readonly filters: Filters;
  /** The first ones, for examples. */
  readonly subjects: readonly SubjectRecord[];
  readonly totals: ScopeTotals;
}

export interface ExampleGenre extends ScopeSummary {
  /** The document of its first subject, with shortened lists. */
  readonly subject: SubjectExample | null;
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
  readonly #example = new Soonest<ExampleGenre>(1, byVariety);
  #floating = 0;

  readonly #lists: Readonly<Record<ListKind, Map<string, ScopeBuilder>>> = {
    month: new Map(),
    country: new Map(),
    tag: new Map(),
    collection: new Map(),
  };
  readonly #tags = new Set<string>();
  readonly #idsIn: Readonly<Record<ListKind, (record: EventRecord) => readonly string[]>>;

  constructor(categories: readonly Category[], collections: readonly Collection[]) {
    const ids = { category: categories.map(({ id }) => id), collection: collections.map(({ id }) => id) };
    for (const filters of scopesOf(ids)) this.#scopeAt(filters);
    this.#idsIn = { ...listIds, collection: collectionFinder(collections) };
  }

  /** Adds a genre with the texts of its soonest events. `textOf` serializes others, which are among those of a list. */
  add(content: GenreRecords, texts: EventTexts, textOf: TextOf): void {
    const { id, name, category } = content.genre;
    const totals = listTotals(content);
    this.#genres.push({ id, name, category, subjects: totals.subjects, upcoming: totals.upcoming });
    this.#floating += content.floating;
    const own = { ...texts, subjects: subjectRecords(content, exampleLength), totals };
    const subject = exampleSubject(content, exampleLength);
    this.#example.add({ ...shorten({ ...own, filters: { genre: id } }), subject });
    for (const filters of scopesOf(idsOf({ category, genre: id }))) {
      if (!filters.genre) this.#scopeAt(filters).add(own);
    }
    const lists = [texts.upcoming, texts.under_way, texts.cancelled, texts.over];
    const known = new Map(lists.flat().map((text) => [text.record, text]));
    const serialize = (event: ListedEvent): EventText => {
      const text = known.get(event.record) ?? textOf(event);
      known.set(event.record, text);
      return text;
    };
    for (const list of datedLists) this.#addToLists(list, content[list], serialize);
  }

  /** Adds events to the months, countries, tags and collections that they belong to. */
  #addToLists(list: ListName, events: readonly ListedEvent[], textOf: TextOf): void {
    for (const event of events) {
      for (const kind of listKinds) {
        for (const id of this.#idsIn[kind](event.record)) {
          if (kind === 'tag' && this.#isTooMany(id)) continue;
          this.#listAt(kind, id).addEvent(list, event, textOf);
        }
      }
    }
  }

  /** Whether there are more tags than a catalogue may have, so that their events need not be kept. */
  #isTooMany(tag: string): boolean {
    if (this.#tags.size <= maxTags) this.#tags.add(tag);
    return !this.#tags.has(tag);
  }

  addAll({ genres, scopes, example, floating }: Sum): void {
    for (const genre of genres) this.#genres.push(genre);
    this.#example.addAll(example);
    for (const scope of scopes) {
      if (!scope.filters.tag || !this.#isTooMany(scope.filters.tag)) this.#scopeAt(scope.filters).add(scope);
    }
    this.#floating += floating;
  }

  build(): Sum {
    const scopes = Array.from(this.#scopes.values(), (scope) => scope.build());
    return { genres: this.#genres, scopes, example: this.#example.list(), floating: this.#floating };
  }

  /** Like {@link #scopeAt}, but without a path for each event. */
  #listAt(kind: ListKind, id: string): ScopeBuilder {
    const known = this.#lists[kind].get(id) ?? this.#scopeAt({ [kind]: id });
    this.#lists[kind].set(id, known);
    return known;
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
export function sumUp(categories: readonly Category[], { genres, scopes, example, floating }: Sum): Summary {
  const records = categories.map(({ id, name }) => {
    const ofCategory = genres.filter(({ category }) => category === id);
    return { id, name, genres: ofCategory.length, upcoming: sum(ofCategory.map(({ upcoming }) => upcoming)) };
  });
  const [subjects, upcoming] = [sum(genres.map((one) => one.subjects)), sum(genres.map((one) => one.upcoming))];
  return {
    totals: { genres: genres.length, subjects, upcoming, categories: categories.length },
    categories: records,
    genres: genres.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    scopes: scopes.filter(isPublished).sort(byFolder),
    example,
    everything: scopes.find(({ filters }) => kindOf(filters) === 'everything') ?? new ScopeBuilder({}).build(),
    floating,
  };
}

function isPublished({ filters, totals }: ScopeSummary): boolean {
  return totals.upcoming > 0 || scopeKinds[kindOf(filters)].isPermanent;
}

/** The order of scopes: by kind, then by id. */
function byFolder({ filters: a }: ScopeSummary, { filters: b }: ScopeSummary): number {
  const [ofA, ofB] = [a, b].map((filters) => Object.keys(scopeKinds).indexOf(kindOf(filters)));
  return (ofA ?? 0) - (ofB ?? 0) || compareTexts(scopeFolder(a), scopeFolder(b));
}

const byPeriod = byText<AnnouncementRecord>(({ window }) => window.until);
const byGenre = (a: SubjectRecord, b: SubjectRecord): number =>
  compareTexts(a.genre, b.genre) || compareTexts(a.id, b.id);

/** Orders genres: those with the most lists that are not empty first, then by their soonest events. */
function byVariety(a: ScopeSummary, b: ScopeSummary): number {
  const [listsOfA = 0, listsOfB = 0] = [a, b].map(({ totals }) => Object.values(totals).filter(Boolean).length);
  const [startOfA = '', startOfB = ''] = [a, b].map(({ upcoming }) => upcoming[0]?.record.starts_at);
  const order = listsOfB - listsOfA || compareTexts(startOfA, startOfB);
  return order || compareTexts(a.filters.genre ?? '', b.filters.genre ?? '');
}

/** Leaves out what examples do not show. */
function shorten(scope: ScopeSummary): ScopeSummary {
  const first = <T>(records: readonly T[]): readonly T[] => records.slice(0, exampleLength);
  const [upcoming, under_way, cancelled] = [first(scope.upcoming), first(scope.under_way), first(scope.cancelled)];
  return { ...scope, upcoming, under_way, cancelled, announced: first(scope.announced), over: [] };
}

class ScopeBuilder {
  readonly #filters: Filters;
  readonly #dated: Readonly<Record<ListName, Soonest<EventText, ListedEvent>>>;
  readonly #announced = new Soonest<AnnouncementText>(listLimit, byPeriod);
  readonly #subjects = new Soonest<SubjectRecord>(exampleLength, byGenre);
  readonly #totals = { upcoming: 0, under_way: 0, cancelled: 0, announced: 0, subjects: 0 };

  constructor(filters: Filters) {
    this.#filters = filters;
    this.#dated = {
      upcoming: new Soonest(calendarLimit, byStart),
      under_way: new Soonest(listLimit, byEnd),
      cancelled: new Soonest(listLimit, byStart),
      // Only the calendars of lists have events that are over.
      over: new Soonest(listOf(filters) === null ? pastLimit : listLimit, byNewest),
    };
  }

  add({ totals, ...texts }: Omit<ScopeSummary, 'filters'>): void {
    for (const list of datedLists) this.#dated[list].addAll(texts[list]);
    this.#announced.addAll(texts.announced);
    this.#subjects.addAll(texts.subjects);
    for (const name of Object.keys(totals) as (keyof ScopeTotals)[]) this.#totals[name] += totals[name];
  }

  addEvent(list: ListName, event: ListedEvent, textOf: TextOf): void {
    const soonest = this.#dated[list];
    if (list !== 'over') this.#totals[list]++;
    if (soonest.wants(event)) soonest.add(textOf(event));
  }

  build(): ScopeSummary {
    return {
      filters: this.#filters,
      upcoming: this.#dated.upcoming.list(),
      under_way: this.#dated.under_way.list(),
      cancelled: this.#dated.cancelled.list(),
      announced: this.#announced.list(),
      over: this.#dated.over.list(),
      subjects: this.#subjects.list(),
      totals: this.#totals,
    };
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
