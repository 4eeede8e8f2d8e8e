import type { FormerIds, FormerSubject, Member, SubjectOrigin } from '../catalogue/model.ts';
import { collectionFinder, type Collection } from '../catalogue/collection.ts';
import { groupBy } from '../catalogue/group.ts';
import { day } from '../catalogue/time/time.ts';
import { addUpCounts, countKinds, type ChangeCounts } from '../api/change-kinds.ts';
import { limitChanges } from './changes.ts';
import {
  changeOf,
  differenceOf,
  loneDifference,
  stateOf,
  type Change,
  type Difference,
} from './difference.ts';
import { GenreMemory } from './genre-memory.ts';
import type { Memory } from './memory.ts';
import type { PublishedEvent } from './published.ts';

/** A genre as a new site publishes it. */
export interface NewGenre {
  readonly id: string;
  readonly members: readonly Member[];
  /** The ids of cancelled events and announcements. */
  readonly cancelledIds: ReadonlySet<string>;
  /**
   * The JSON of all events that are upcoming or under way, and of all announcements, by their ids.
   */
  readonly texts: ReadonlyMap<string, string>;
  readonly upcomingIds: ReadonlySet<string>;
  /** The events that are over, by their ids. */
  readonly over: ReadonlyMap<string, PublishedEvent>;
}

/** The inputs of a comparison, besides the genre. */
export interface ComparisonOptions {
  readonly memory: Memory;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** The `updated_at` of events that are new or have changed. */
  readonly at: string;
  readonly former: FormerIds;
  /** Each change names the collections of its event. */
  readonly collections: readonly Collection[];
}

/** The number of upcoming events of a genre. */
export interface Tally {
  /** Events of the previous site that would still be upcoming and are not cancelled. */
  readonly before: number;
  /**
   * Events of the previous site that are over now, beyond the number that the time since that site
   * explains.
   */
  readonly unexplained: number;
  readonly after: number;
}

/** The changes of some genres since the previous site. Plain data. */
export interface GenreChanges {
  /** At most as many as a log holds. */
  readonly changes: readonly Change[];
  /** The numbers of all changes. */
  readonly counts: ChangeCounts;
  readonly tallies: ReadonlyMap<string, Tally>;
  /** The subjects that are gone and had events, each as `{genre}/{subject}`. */
  readonly goneSubjects: readonly string[];
  /** The source files of the subjects that have new events, by `{genre}/{subject}`. */
  readonly newSubjects: ReadonlyMap<string, SubjectOrigin>;
}

/** Adds up the changes of different genres. */
export function addUpChanges(parts: readonly GenreChanges[]): GenreChanges {
  return {
    changes: limitChanges(parts.flatMap(({ changes }) => changes)),
    counts: addUpCounts(parts.map(({ counts }) => counts)),
    tallies: new Map(parts.flatMap(({ tallies }) => [...tallies])),
    goneSubjects: parts.flatMap(({ goneSubjects }) => goneSubjects),
    newSubjects: new Map(parts.flatMap(({ newSubjects }) => [...newSubjects])),
  };
}

/**
 * Compares a genre with the genre in the previous site. Throws the problem `previous-site-damaged`.
 */
export function compareGenre(
  next: NewGenre,
  memory: GenreMemory,
  options: ComparisonOptions,
): GenreChanges {
  const differences = withMoves(findDifferences(next, memory, options));
  const findCollections = collectionFinder(options.collections);
  const changes = differences.map((difference) => changeOf(difference, findCollections));
  const members = new Map(next.members.map(({ id, origin }) => [`${next.id}/${id}`, origin]));
  const subjectsOf = (kind: Difference['kind']) => {
    const sameKind = differences.filter((difference) => difference.kind === kind);
    return [...new Set(sameKind.map(({ event }) => subjectKey(event)))];
  };
  return {
    changes: limitChanges(changes),
    counts: countKinds(changes),
    tallies: new Map([[next.id, tallyOf(next, memory, options)]]),
    goneSubjects: subjectsOf('removed').filter((key) => !members.has(key)),
    newSubjects: new Map(subjectsOf('added').map((key) => [key, members.get(key) ?? 'file'])),
  };
}

/**
 * Compares the genres of the previous site that the new one does not have.
 *
 * @param genres the ids of the new genres
 * @param former the former ids of their subjects
 */
export function compareMissing(
  genres: ReadonlySet<string>,
  former: readonly FormerSubject[],
  options: ComparisonOptions,
): GenreChanges {
  const claimed = new Set(former.map(({ old }) => old));
  const successors = {
    former: options.former.genres,
    claimed: () => claimed,
  };
  const ids = [...(options.memory.events?.genres.keys() ?? [])];
  const missing = ids.filter((id) => !genres.has(options.former.genres.get(id)?.id ?? id));
  const noIds: ReadonlySet<string> = new Set();
  return addUpChanges(
    missing.map((id) => {
      const empty = {
        id,
        members: [],
        cancelledIds: noIds,
        texts: new Map<string, string>(),
        upcomingIds: noIds,
        over: new Map<string, PublishedEvent>(),
      };
      return compareGenre(empty, new GenreMemory(options.memory, id, null, successors), options);
    }),
  );
}

function findDifferences(
  next: NewGenre,
  memory: GenreMemory,
  { now, at }: ComparisonOptions,
): Difference[] {
  const { texts, cancelledIds, over } = next;
  const differences: (Difference | null)[] = [];
  for (const [id, text] of texts) {
    if (!text.endsWith(`"updated_at":"${at}"}`)) continue;
    const event = JSON.parse(text) as PublishedEvent;
    const state = memory.stateOf(id);
    // An event that is no longer cancelled, or takes place again, is a new one.
    const isNew = state === undefined || state === 'cancelled' || state === 'over';
    differences.push(
      isNew ? loneDifference('added', event) : differenceOf(memory.recordOf(id), event),
    );
  }
  for (const id of memory.idsIn('upcoming', 'under_way', 'announced')) {
    if (texts.has(id)) continue;
    const event = memory.recordOf(id);
    const past = over.get(id);
    if (cancelledIds.has(id)) differences.push(loneDifference('cancelled', event));
    else if (stateOf(event, now) === 'over') continue;
    // The date was corrected to one that has passed.
    else if (past !== undefined) differences.push(differenceOf(event, past));
    else differences.push(loneDifference('removed', event));
  }
  return differences.filter((difference) => difference !== null);
}

/**
 * Turns an event that is gone and the only new one with its subject and title, such as a row of a
 * table, into a move.
 */
function withMoves(differences: readonly Difference[]): Difference[] {
  const lone = differences.filter(({ kind }) => kind === 'removed' || kind === 'added');
  const moves = new Map<Difference, Difference>();
  const movedAway = new Set<Difference>();
  for (const group of groupBy(lone, ({ event }) =>
    JSON.stringify([event.subject.id, event.title]),
  ).values()) {
    // What is new comes first.
    const [added, removed] = group;
    if (group.length !== 2 || added?.kind !== 'added' || removed?.kind !== 'removed') continue;
    const move = differenceOf(removed.event, added.event);
    if (move === null || move.kind === 'changed') continue;
    moves.set(added, move);
    movedAway.add(removed);
  }
  const withMove = differences.map((difference) => moves.get(difference) ?? difference);
  return withMove.filter((difference) => !movedAway.has(difference));
}

function tallyOf(next: NewGenre, genre: GenreMemory, { memory, now }: ComparisonOptions): Tally {
  const { upcomingIds, cancelledIds } = next;
  const since = Date.parse(memory.index?.catalogue.last_sync ?? '');
  let before = 0;
  let unexplained = 0;
  for (const id of genre.idsIn('upcoming')) {
    if (cancelledIds.has(id)) continue;
    if (upcomingIds.has(id) || stateOf(genre.recordOf(id), now) === 'upcoming') before++;
    // A pause of 90 days since the previous site explains that events are over.
    else if (stateOf(genre.recordOf(id), since + 90 * day) === 'upcoming') unexplained++;
  }
  return {
    before,
    unexplained,
    after: upcomingIds.size,
  };
}

/** Returns `{genre}/{subject}`. */
export function subjectKey({ genre, subject }: Pick<PublishedEvent, 'genre' | 'subject'>): string {
  return `${genre}/${subject.id}`;
}
