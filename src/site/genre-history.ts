import type { EventRecord } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { pastLimit } from '../api/paths.ts';
import type { FormerIds } from '../catalogue/model.ts';
import { parseJson } from '../catalogue/text.ts';
import {
  compareRecords,
  isDated,
  isOver,
  isSameEvent,
  renamed,
  type Difference,
  type NewIds,
  type PublishedEvent,
} from './compare.ts';
import type { EarlierSite } from './earlier-site.ts';
import { isAnnouncement, isEventRecord, isTime, wholeRecord } from './foreign.ts';

/** The lists of a site that can hold an event. */
export type ListName = 'events' | 'announced' | 'cancelled' | 'past';

/** Reads what the previous site publishes about its genres. */
export class HistoryReader {
  readonly #site: EarlierSite;
  readonly #at: string;
  readonly #former: FormerIds['genres'];

  /** @param at the time of this build in the change log */
  constructor(site: EarlierSite, at: string, former: FormerIds['genres']) {
    this.#site = site;
    this.#at = at;
    this.#former = former;
  }

  /** Reads a genre with what was published under its former ids. Throws `site-unreadable` if the host fails. */
  async read(genre: string): Promise<GenreHistory> {
    const history = await this.readId(genre);
    for (const [old, { id, category }] of this.#former) {
      if (id !== genre || !this.#site.hasGenre(old)) continue;
      history.adopt(await this.readId(old), (subject) => ({ genre, category, subject }));
    }
    return history;
  }

  /** Reads what was published under one id of a genre. Throws the same problem. */
  async readId(genre: string): Promise<GenreHistory> {
    const events = await this.#site.events(formatPath(formats.ndjson, { genre }), this.#site.hasGenre(genre));
    return new GenreHistory({ genre, at: this.#at, events });
  }
}

interface Published {
  readonly genre: string;
  readonly at: string;
  readonly events: Awaited<ReturnType<EarlierSite['events']>>;
}

/** What the previous site publishes about the events of one genre. It is foreign input: what is not valid is left out. */
export class GenreHistory {
  readonly #published: Published;
  /** The JSON of its events and announcements by their ids. */
  readonly #texts = new Map<string, string>();
  /** What was parsed so far. Null: it is not valid. */
  readonly #parsed = new Map<string, PublishedEvent | null>();
  readonly #cancelled = new Map<string, PublishedEvent>();
  readonly #past = new Map<string, PublishedEvent>();
  /** The histories whose events were taken over. */
  readonly #adopted: GenreHistory[] = [];

  constructor(published: Published) {
    this.#published = published;
    const { texts, stateOf } = published.events;
    for (const [id, text] of texts) {
      const state = stateOf.get(id);
      if (state !== 'cancelled' && state !== 'over') {
        this.#texts.set(id, text);
        continue;
      }
      const record = parseJson(text);
      const isValid = isEventRecord(record) && record.id === id && record.genre === published.genre;
      if (isValid) (state === 'over' ? this.#past : this.#cancelled).set(id, record);
      else published.events.onDamage(`found a record of ${id} that is not valid`);
    }
  }

  /** Whether every event of the genre is known. */
  get hasAllEvents(): boolean {
    return this.#published.events.isWhole() && this.#adopted.every((one) => one.hasAllEvents);
  }

  /** The ids of the subjects that have events or announcements. */
  get subjects(): ReadonlySet<string> {
    return new Set([this.#texts, this.#cancelled, this.#past].flatMap((list) => Array.from(list.keys(), subjectOf)));
  }

  /**
   * Takes over events under the ids that they have now. What already has such an id stays.
   *
   * @param from another history, or this one
   * @param idsOf returns the ids of what belongs to a subject now; null if it is not taken over
   */
  adopt(from: GenreHistory, idsOf: (subject: string) => NewIds | null): void {
    if (from !== this) this.#adopted.push(from);
    for (const id of from.#texts.keys()) {
      const ids = idsOf(subjectOf(id));
      const record = ids && from.#parse(id);
      if (!record) continue;
      const event = renamed(record, ids);
      from.#texts.delete(id);
      if (this.#texts.has(event.id)) continue;
      this.#texts.set(event.id, JSON.stringify(event));
    }
    for (const [list, own] of [
      [from.#cancelled, this.#cancelled],
      [from.#past, this.#past],
    ] as const) {
      for (const [id, record] of list) {
        const ids = idsOf(subjectOf(id));
        if (ids === null) continue;
        const event = renamed(record, ids);
        list.delete(id);
        if (!own.has(event.id)) own.set(event.id, event);
      }
    }
  }

  /** Forgets the events of subjects. */
  forget(subjects: ReadonlySet<string>): void {
    for (const list of [this.#texts, this.#cancelled, this.#past])
      for (const id of list.keys()) if (subjects.has(subjectOf(id))) list.delete(id);
  }

  /**
   * Returns the time of the build that first published a record as it is now. Null if it has not changed since the log
   * of changes began, or if the previous site does not show that.
   *
   * @param json the record with null as its `updated_at`, which is its last field
   */
  updatedAt(id: string, json: string, list: ListName): string | null {
    const { at } = this.#published;
    const text = this.#texts.get(id);
    const head = json.slice(0, -'null}'.length);
    // Most records are what they were, and need not be parsed.
    if (text?.startsWith(head) === true) return this.#known(text.slice(head.length, -1));
    const old = this.#parse(id) ?? this.#cancelled.get(id) ?? this.#past.get(id);
    // The previous site keeps a limited number of events that are over, so an older one need not be new.
    if (old === undefined) return list === 'past' && this.#past.size >= pastLimit ? null : at;
    return isSameEvent(old, JSON.parse(json) as PublishedEvent) ? this.#known(JSON.stringify(old.updated_at)) : at;
  }

  /** Returns a time of the previous site, which must not be later than this build. */
  #known(json: string | undefined): string | null {
    const { at } = this.#published;
    if (json === undefined || json === 'null') return null;
    const time = json.slice(1, -1);
    return isTime(time) && time <= at ? time : at;
  }

  /**
   * Returns the events that were over before `now` and after `since`, and that the new site does not know.
   *
   * @param now milliseconds since the Unix epoch, like `since`
   */
  past(isKnown: (id: string) => boolean, now: number, since: number): EventRecord[] {
    const records = [...this.#past.values()];
    for (const id of this.#texts.keys()) {
      const record = isKnown(id) ? undefined : this.#parse(id);
      if (record !== undefined) records.push(record);
    }
    const isPast = (record: PublishedEvent): record is EventRecord =>
      isDated(record) && !isKnown(record.id) && isOver(record, now) && !isOver(record, since);
    const past = records.filter(isPast).flatMap((record) => wholeRecord(record) ?? []);
    return [...new Map(past.map((record) => [record.id, record])).values()];
  }

  /**
   * Compares the genre with what the new site publishes about it. What is new and what could not be read look the same,
   * so an addition counts only where everything could be read.
   */
  compare(
    after: ReadonlyMap<string, string>,
    isCancelled: (event: PublishedEvent) => boolean,
    now: number,
  ): { readonly differences: readonly Difference[]; readonly hasAllEvents: boolean } {
    // An invalid record is unknown, like one that cannot be read.
    for (const [id, text] of this.#texts) if (after.get(id) !== text) this.#parse(id);
    const parse = (id: string): PublishedEvent => this.#parse(id) as PublishedEvent;
    const next = { texts: after, parse: (id: string) => JSON.parse(after.get(id) ?? 'null') as PublishedEvent };
    const { hasAllEvents } = this;
    const isKnown = ({ kind }: Difference): boolean => kind !== 'added' || hasAllEvents;
    const differences = compareRecords({ texts: this.#texts, parse }, next, isCancelled, now).filter(isKnown);
    return { differences, hasAllEvents };
  }

  /** Returns an event or announcement. Forgets it if its text is not valid. */
  #parse(id: string): PublishedEvent | undefined {
    const known = this.#parsed.get(id);
    const text = this.#texts.get(id);
    if (known !== undefined || text === undefined) return known ?? undefined;
    const record = parseJson(text);
    const isPublished = isEventRecord(record) || isAnnouncement(record);
    const isValid = isPublished && record.id === id && record.genre === this.#published.genre;
    this.#parsed.set(id, isValid ? record : null);
    if (isValid) return record;
    this.#texts.delete(id);
    this.#published.events.onDamage(`found a record of ${id} that is not valid`);
    return undefined;
  }
}

function subjectOf(id: string): string {
  return id.slice(id.indexOf('/') + 1, id.lastIndexOf('/'));
}
