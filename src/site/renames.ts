import type { EventRecord, EventsDocument, SubjectDocument } from '../api/documents.ts';
import { documentPath, subjectFile } from '../api/paths.ts';
import { groupBy } from '../catalogue/group.ts';
import { compareRecords, recordsOf, renamed, type Difference, type NewIds } from './compare.ts';
import { readDocument, type PublishedSite } from './documents.ts';

/** An id of the old site, and what has taken its place in the new one. */
export interface Rename {
  readonly old: string;
  readonly new: string;
}

/** Finds what ids of an old site are now. A site has documents at the addresses of former ids. */
export class Renames {
  readonly #next: PublishedSite;
  readonly #subjects = new Map<string, Promise<NewIds | null>>();

  /** @param next the new site */
  constructor(next: PublishedSite) {
    this.#next = next;
  }

  /** Returns those of the categories or genres that have a former id in the new site. */
  async of(filter: 'category' | 'genre', ids: readonly string[]): Promise<Rename[]> {
    const renames: Rename[] = [];
    for (const old of ids) {
      const list = await this.#read<EventsDocument>(documentPath({ operation: 'events', [filter]: old }));
      const id = list?.filters?.[filter] ?? old;
      if (id !== old) renames.push({ old, new: id });
    }
    return renames;
  }

  /** Returns those of the subjects, each as `{genre}/{subject}`, that have a former id in the new site. */
  async ofSubjects(keys: readonly string[]): Promise<Rename[]> {
    const renames: Rename[] = [];
    for (const old of keys) {
      const [genre = '', subject = ''] = old.split('/');
      const ids = await this.ofSubject(genre, subject);
      const id = ids && `${ids.genre}/${ids.subject}`;
      if (id !== null && id !== old) renames.push({ old, new: id });
    }
    return renames;
  }

  /** Returns the ids that a subject of the old site has now. Null if the new site does not know it. */
  async ofSubject(genre: string, subject: string): Promise<NewIds | null> {
    const key = `${genre}/${subject}`;
    const known = this.#subjects.get(key) ?? this.#findSubject(genre, subject);
    this.#subjects.set(key, known);
    return known;
  }

  /** Compares events that are gone with those that have their ids now. Returns the differences that remain. */
  async follow(differences: readonly Difference<EventRecord>[], now: number): Promise<Difference<EventRecord>[]> {
    const added = new Map(differences.flatMap((one) => (one.kind === 'added' ? [[one.event.id, one] as const] : [])));
    const followed: Difference<EventRecord>[] = [];
    const matched = new Set<Difference<EventRecord>>();
    for (const difference of differences) {
      const { kind, event } = difference;
      const ids = kind === 'removed' ? await this.ofSubject(event.genre, event.subject.id) : null;
      const before = ids && renamed(event, ids);
      const successor = before && added.get(before.id);
      if (!successor) continue;
      const [old, next] = [before, successor.event].map((one) =>
        recordsOf<EventRecord>(new Map([[one.id, JSON.stringify(one)]])),
      );
      if (old && next) followed.push(...compareRecords(old, next, () => false, now));
      matched.add(difference).add(successor);
    }
    return [...differences.filter((one) => !matched.has(one)), ...followed];
  }

  async #findSubject(genre: string, subject: string): Promise<NewIds | null> {
    const document = await this.#read<SubjectDocument>(subjectFile(genre, subject, 'json'));
    const { id, genre: ofGenre, category } = document?.subject ?? {};
    if (id !== undefined && ofGenre !== undefined && category !== undefined)
      return { genre: ofGenre, category, subject: id };
    // A site without pages of subjects has no documents of them.
    const list = await this.#read<EventsDocument>(documentPath({ operation: 'events', genre }));
    const record = this.#next.overview.genres.find((one) => one.id === list?.filters?.genre);
    return record === undefined || record.id === genre
      ? null
      : { genre: record.id, category: record.category, subject };
  }

  async #read<T>(path: string): Promise<Partial<T> | null> {
    return Object.hasOwn(this.#next.files, path) ? readDocument<Partial<T>>(this.#next.site, path) : null;
  }
}

/** An event that only one of the sites has. */
type Lone = Pick<EventRecord, 'id' | 'title' | 'subject'> & { readonly starts_at?: string };

/** Returns what was probably renamed: what is gone, and what is new with the same name, title or instants. */
export function guessRenames(removed: readonly Lone[], added: readonly Lone[], isGone: (subject: string) => boolean) {
  const [old, next] = [groupBy(removed, ({ id }) => subjectIn(id)), groupBy(added, ({ id }) => subjectIn(id))];
  const subjects = match(
    [...old].filter(([key]) => isGone(key)),
    [...next].filter(([key]) => !old.has(key)),
    ([, events]) => [`name ${events[0]?.subject.name}`, `starts ${startsOf(events)}`],
  ).map(([[from], [to]]) => ({ old: from, new: to }));
  const left = new Set(subjects.map((one) => one.old));
  const events = match(
    removed.filter(({ id }) => !left.has(subjectIn(id))),
    added,
    ({ id, title, starts_at: start }) => [
      `${subjectIn(id)} title ${title}`,
      ...(start ? [`${subjectIn(id)} ${start}`] : []),
    ],
  ).map(([from, to]) => ({ old: from.id, new: to.id }));
  return { subjects, events };
}

/** Pairs each of some items with the first one of the others that has a key in common with it. */
function match<T>(items: readonly T[], others: readonly T[], keysOf: (item: T) => readonly string[]): [T, T][] {
  const keyed = others.toReversed().flatMap((other) => keysOf(other).map((key) => [key, other] as const));
  const byKey = groupBy(keyed, ([key]) => key);
  const taken = new Set<T>();
  return items.flatMap((item): [T, T][] => {
    for (const key of keysOf(item)) {
      const left = byKey.get(key) ?? [];
      // The first one is at the end, so that each is looked at once.
      let first = left.pop()?.[1];
      while (first !== undefined && taken.has(first)) first = left.pop()?.[1];
      if (first === undefined) continue;
      taken.add(first);
      return [[item, first]];
    }
    return [];
  });
}

function startsOf(events: readonly Lone[]): string {
  const starts = events.map(({ id, starts_at: start }) => start ?? id);
  return starts.sort().join(' ');
}

/** Returns `{genre}/{subject}`, with which the id of an event begins. */
function subjectIn(id: string): string {
  return id.slice(0, id.lastIndexOf('/'));
}
