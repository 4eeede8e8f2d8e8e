import type { EventRecord } from '../api/documents.ts';
import { pastLimit } from '../api/paths.ts';
import type { FormerIds, FormerSubject, GenreContent } from '../catalogue/model.ts';
import { states, type State } from '../catalogue/state.ts';
import { memoize } from '../catalogue/time/memoize.ts';
import { formatPath, formats } from '../api/formats.ts';
import { ProblemError } from '../problem/problem.ts';
import { differenceOf, stateOf } from './difference.ts';
import { readLines } from './events-file.ts';
import { damageProblem, type Memory } from './memory.ts';
import { isDated, isTime, readEntry, wholeRecord, type PublishedEvent } from './published.ts';

/** The previous version of an event, under its present id. */
interface Remembered {
  readonly state: State;
  /** The line of the file. Null if the event had another id. */
  readonly line: string | null;
  /** Null until it is needed, because reading a line takes far longer than comparing it. */
  record: PublishedEvent | null;
}

/** The data that assigns events of the previous site to present genres. */
export interface Successors {
  readonly former: FormerIds['genres'];
  /**
   * Returns the former ids of all subjects, which is slow; they are needed if a subject is gone.
   */
  readonly claimed: () => ReadonlySet<string>;
}

type Content = Pick<GenreContent, 'genre' | 'members'> & {
  readonly former: readonly FormerSubject[];
};

/**
 * The events of one genre in the previous site. All methods throw the problem
 * `previous-site-damaged`.
 */
export class GenreMemory {
  readonly #memory: Memory;
  readonly #events = new Map<string, Remembered>();
  #past = 0;

  /** @param content the genre as it is now; null for one that is gone, whose id is `genre` */
  constructor(
    memory: Memory,
    genre: string,
    content: Content | null,
    { former, claimed }: Successors,
  ) {
    this.#memory = memory;
    const idOf = (old: string) => former.get(old)?.id ?? old;
    const ids = [...(memory.events?.genres.keys() ?? [])].filter((old) => idOf(old) === genre);
    const subjects = new Map(content?.former.map(({ old, id }) => [old, id]));
    const members = new Set(content?.members.map(({ id }) => id));
    const successorOf = (old: string, subject: string): string | null => {
      // Its new file names the genre as it was called then, or as it is called now.
      const keys = [`${old}/${subject}`, ...(idOf(old) === genre ? [`${genre}/${subject}`] : [])];
      const id = keys.map((key) => subjects.get(key)).find((next) => next !== undefined);
      if (id !== undefined) return id.slice(genre.length + 1);
      if (idOf(old) !== genre) return null;
      const isClaimed = !members.has(subject) && keys.some((key) => claimed().has(key));
      return isClaimed ? null : subject;
    };
    const formerGenres = [...subjects.keys()].map((key) => key.slice(0, key.indexOf('/')));
    for (const old of new Set([...ids, ...formerGenres])) this.#take(old, content, successorOf);
  }

  /**
   * Adds the events of a genre of the previous site under the new ids of their subjects. Skips
   * subjects with null.
   */
  #take(
    old: string,
    content: Content | null,
    successorOf: (old: string, subject: string) => string | null,
  ): void {
    const { events } = this.#memory;
    const findSuccessor = memoize((subject: string) => successorOf(old, subject));
    for (const line of events === null ? [] : readLines(events, old)) {
      const [, id = '', subject = ''] = eventStart.exec(line) ?? [];
      const name = /,"state":"([a-z_]+)"\}$/.exec(line)?.[1];
      const listedState = states.find((state) => state === name);
      if (listedState === undefined || !id.startsWith(`${old}/`)) throw this.#damaged('a line');
      const next = findSuccessor(subject);
      if (next === null) continue;
      const state = this.#isCancelled(line, id, listedState) ? 'cancelled' : listedState;
      const isSame = next === subject && (content === null || content.genre.id === old);
      const record = isSame ? null : this.#renamed(this.#read(line, id), content, next);
      const key = record?.id ?? id;
      if (this.#events.has(key)) continue;
      this.#events.set(key, {
        state,
        line: isSame ? line : null,
        record,
      });
      if (state === 'over') this.#past++;
    }
  }

  /** Whether an announcement is cancelled. Only a line that may say so is parsed. */
  #isCancelled(line: string, id: string, state: State): boolean {
    const mayBe = state === 'announced' && line.includes('"status":"cancelled"');
    return mayBe && this.#read(line, id).status === 'cancelled';
  }

  #read(line: string, id: string): PublishedEvent {
    const record = readEntry(line, id);
    if (record === null) throw this.#damaged(`the record of ${id}`);
    return record;
  }

  #renamed(record: PublishedEvent, content: Content | null, subject: string): PublishedEvent {
    const { id: genre, category } = content?.genre ?? record;
    const name = record.id.slice(record.id.lastIndexOf('/'));
    const id = `${genre}/${subject}${name}`;
    return {
      ...record,
      id,
      subject: { ...record.subject, id: subject },
      genre,
      category,
    };
  }

  #damaged(what: string): ProblemError {
    const reason = `${what} in it is not valid`;
    const path = formatPath(formats.ndjson, {});
    return new ProblemError([damageProblem(this.#memory.site, path, reason)]);
  }

  /** Returns the events in some states, by their ids. */
  *idsIn(...inStates: readonly State[]): Generator<string> {
    for (const [id, { state }] of this.#events) if (inStates.includes(state)) yield id;
  }

  stateOf(id: string): State | undefined {
    return this.#events.get(id)?.state;
  }

  /** Returns the record of an event that the previous site has. */
  recordOf(id: string): PublishedEvent {
    const event = this.#events.get(id);
    if (event === undefined) throw new Error(`no event ${id}`);
    return (event.record ??= this.#read(event.line ?? '', id));
  }

  /**
   * Returns the time of the build that first published a record as it is now. Null if it has not
   * changed since the log of changes began, or if the previous site does not show that.
   *
   * @param json the record with null as its `updated_at`, which is its last field
   * @param at the time of this build
   */
  updatedAt(id: string, json: string, isOver: boolean, at: string): string | null {
    const event = this.#events.get(id);
    // The previous site keeps a limited number of events that are over, so an older one need not be
    // new.
    if (event === undefined) return isOver && this.#past >= pastLimit ? null : at;
    const head = json.slice(0, -'null}'.length);
    const ending =
      event.line?.startsWith(head) === true ? event.line.slice(head.length, head.length + 30) : '';
    // Most records have not changed and need not be parsed.
    const time = /^(null|"([^"]*)"),"state"/.exec(ending);
    if (
      time === null &&
      differenceOf(this.recordOf(id), JSON.parse(json) as PublishedEvent) !== null
    )
      return at;
    const updated = time === null ? this.recordOf(id).updated_at : time[2];
    if (updated == null) return null;
    return isTime(updated) && updated <= at ? updated : at;
  }

  /**
   * Returns the events that were over before `now` and after `since`, and that the new site does
   * not know.
   *
   * @param now milliseconds since the Unix epoch, like `since`
   */
  past(isKnown: (id: string) => boolean, now: number, since: number): EventRecord[] {
    const ids = [...this.idsIn('over', 'upcoming', 'under_way')].filter((id) => !isKnown(id));
    return ids.flatMap((id) => {
      const record = this.recordOf(id);
      const isPast =
        isDated(record) && stateOf(record, now) === 'over' && stateOf(record, since) !== 'over';
      return isPast ? (wholeRecord(record) ?? []) : [];
    });
  }
}

/** The start of a line of events.ndjson: the id of an event and, inside it, that of its subject. */
const eventStart = /^\{"id":"([a-z0-9-]+\/([a-z0-9-]+)\/[a-z0-9-]+)"/;
