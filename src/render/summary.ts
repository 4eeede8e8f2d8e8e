import type { AnnouncementRecord, CategoryRecord, GenreRecord, SubjectRecord } from '../api/documents.ts';
import { exampleLength } from '../api/openapi/examples.ts';
import { calendarLimit, listLimit, pastLimit, scopeFolder } from '../api/paths.ts';
import { idsOf, kindOf, scopesOf, type Filters } from '../api/scopes.ts';
import type { Category, Totals } from '../catalogue/model.ts';
import { compareTexts, Soonest } from '../catalogue/soonest.ts';
import type { AnnouncementText, EventText, EventTexts, ScopeTotals } from './event-texts.ts';
import { byEnd, byNewest, byStart, byText, listTotals, type GenreRecords } from './records.ts';
import { exampleSubject, type SubjectExample } from './subject-files.ts';
import { firstSubjects } from './subjects.ts';

/** The genres of a catalogue added up, in any order. Plain data: it comes from threads and machines. */
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

/** The genre of the examples. */
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

  constructor(categories: readonly Category[]) {
    for (const filters of scopesOf({ category: categories.map(({ id }) => id) })) this.#scopeAt(filters);
  }

  /** Adds a genre with the texts of its soonest events. */
  add(content: GenreRecords, texts: EventTexts): void {
    const { id, name, category } = content.genre;
    const totals = listTotals(content);
    this.#genres.push({ id, name, category, subjects: totals.subjects, upcoming: totals.upcoming });
    this.#floating += content.floating;
    const own = { ...texts, subjects: firstSubjects(content, exampleLength), totals };
    const subject = exampleSubject(content, exampleLength);
    this.#example.add({ ...shorten({ ...own, filters: { genre: id } }), subject });
    for (const filters of scopesOf(idsOf({ category, genre: id }))) {
      if (!filters.genre) this.#scopeAt(filters).add(own);
    }
  }

  addAll({ genres, scopes, example, floating }: Sum): void {
    for (const genre of genres) this.#genres.push(genre);
    this.#example.addAll(example);
    for (const scope of scopes) this.#scopeAt(scope.filters).add(scope);
    this.#floating += floating;
  }

  build(): Sum {
    const scopes = Array.from(this.#scopes.values(), (scope) => scope.build());
    return { genres: this.#genres, scopes, example: this.#example.list(), floating: this.#floating };
  }

  #scopeAt(filters: Filters): ScopeBuilder {
    const folder = scopeFolder(filters);
    const builder = this.#scopes.get(folder) ?? new ScopeBuilder(filters);
    this.#scopes.set(folder, builder);
    return builder;
  }
}

/**
 * Adds up the categories of a catalogue.
 *
 * @param categories ordered by id
 */
export function sumUp(categories: readonly Category[], { genres, scopes, example, floating }: Sum): Summary {
  const records = categories.map(({ id, name }) => {
    const ofCategory = genres.filter(({ category }) => category === id);
    return { id, name, genres: ofCategory.length, upcoming: sum(ofCategory.map(({ upcoming }) => upcoming)) };
  });
  return {
    totals: totalsOf(records, genres),
    categories: records,
    genres: genres.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    scopes,
    example,
    everything: scopes.find(({ filters }) => kindOf(filters) === 'everything') ?? new ScopeBuilder({}).build(),
    floating,
  };
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
function shorten({ upcoming, underWay, cancelled, announced, ...rest }: ScopeSummary): ScopeSummary {
  return {
    ...rest,
    upcoming: upcoming.slice(0, exampleLength),
    underWay: underWay.slice(0, exampleLength),
    cancelled: cancelled.slice(0, exampleLength),
    past: [],
    announced: announced.slice(0, exampleLength),
  };
}

class ScopeBuilder {
  readonly #filters: Filters;
  readonly #upcoming = new Soonest<EventText>(calendarLimit, byStart);
  readonly #underWay = new Soonest<EventText>(listLimit, byEnd);
  readonly #cancelled = new Soonest<EventText>(listLimit, byStart);
  readonly #announced = new Soonest<AnnouncementText>(listLimit, byPeriod);
  readonly #past = new Soonest<EventText>(pastLimit, byNewest);
  readonly #subjects = new Soonest<SubjectRecord>(exampleLength, byGenre);
  readonly #totals = { upcoming: 0, underWay: 0, cancelled: 0, announced: 0, subjects: 0 };

  constructor(filters: Filters) {
    this.#filters = filters;
  }

  add({ totals, ...texts }: Omit<ScopeSummary, 'filters'>): void {
    this.#upcoming.addAll(texts.upcoming);
    this.#underWay.addAll(texts.underWay);
    this.#cancelled.addAll(texts.cancelled);
    this.#announced.addAll(texts.announced);
    this.#past.addAll(texts.past);
    this.#subjects.addAll(texts.subjects);
    this.#totals.upcoming += totals.upcoming;
    this.#totals.underWay += totals.underWay;
    this.#totals.cancelled += totals.cancelled;
    this.#totals.announced += totals.announced;
    this.#totals.subjects += totals.subjects;
  }

  build(): ScopeSummary {
    return {
      filters: this.#filters,
      upcoming: this.#upcoming.list(),
      underWay: this.#underWay.list(),
      cancelled: this.#cancelled.list(),
      announced: this.#announced.list(),
      past: this.#past.list(),
      subjects: this.#subjects.list(),
      totals: this.#totals,
    };
  }
}

function totalsOf(categories: readonly CategoryRecord[], genres: readonly GenreRecord[]): Totals {
  return {
    genres: genres.length,
    subjects: sum(genres.map(({ subjects }) => subjects)),
    upcoming: sum(genres.map(({ upcoming }) => upcoming)),
    categories: categories.length,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
