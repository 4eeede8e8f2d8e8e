import { groupBy } from '../catalogue/group.ts';
import type { Event } from '../catalogue/model.ts';
import { wholeFile, type DisplayPath, type Problem } from '../problem/problem.ts';
import { maxProblemsPerSource, type ValueFinding } from './finding.ts';
import { plainWords } from './language.ts';
import type { PartialEvent } from './json/types.ts';
import type { SubjectFile } from './subject-files.ts';

type Moment = { readonly index: number; readonly startsAt: number };

/**
 * Finds starts of a subject that are valid but probably have a typo in their year: those far ahead of all others, and
 * one that is over for years while the others are ahead.
 *
 * @param starts when each event starts, by its index; NaN if that is not known
 */
export function findTypos(events: readonly PartialEvent[], starts: readonly number[], now: number): ValueFinding[] {
  const [yearAgo, horizon] = [addYears(now, -1), addYears(now, 5)];
  // Most subjects have no such start.
  if (!starts.some((one) => one > horizon || one < yearAgo)) return [];
  const moments = starts.flatMap((startsAt, index) => (Number.isNaN(startsAt) ? [] : { index, startsAt }));
  moments.sort((a, b) => a.startsAt - b.startsAt);
  const isKnown = ({ index }: Moment): boolean => events[index]?.far_ahead === true;
  const far = farAhead(moments, now).filter((moment) => moment.startsAt > horizon && !isKnown(moment));
  const startOf = (index: number): string => events[index]?.starts ?? '';
  const indexes = far.map(({ index }) => index).sort((a, b) => a - b);
  const found = indexes.map((index): ValueFinding => {
    const problem = { code: 'far-ahead', found: startOf(index), others: 0 } as const;
    return { problem, path: ['events', index, 'starts'] };
  });
  // An announcement says too little about when the others are.
  const dated = moments.filter(({ index }) => /^\d{4}-\d\d-\d\d/.test(startOf(index)));
  const wrong = yearsBehind(dated, now, yearAgo);
  if (wrong === null) return found;
  const problem = { code: 'year-behind', found: startOf(wrong.index), year: wrong.year, others: 0 } as const;
  return [...found, { problem, path: ['events', wrong.index, 'starts'] }];
}

/** Returns the starts that are more than five years after the one before them, or after now if there is none. */
function farAhead(moments: readonly Moment[], now: number): Moment[] {
  return moments.filter(({ startsAt }, position) => {
    const before = moments[position - 1]?.startsAt ?? now;
    return startsAt > addYears(Math.max(before, now), 5);
  });
}

/**
 * Returns the only start that is over for more than a year if at least two others are ahead, and the year that would
 * put it among them. Returns null if there is none, or if no year would.
 */
function yearsBehind(moments: readonly Moment[], now: number, yearAgo: number): { index: number; year: number } | null {
  const [first, second] = moments;
  const last = moments.at(-1);
  if (first === undefined || second === undefined || last === undefined) return null;
  if (first.startsAt >= yearAgo || second.startsAt < yearAgo) return null;
  if (moments.filter(({ startsAt }) => startsAt > now).length < 2) return null;
  const earliest = Math.max(second.startsAt, now);
  for (let years = 1; years <= 100; years++) {
    const moved = addYears(first.startsAt, years);
    if (moved > last.startsAt) return null;
    if (moved >= earliest) return { index: first.index, year: new Date(moved).getUTCFullYear() };
  }
  return null;
}

/**
 * Warns of events that another file has too: with the same start and title, of the same subject or place. Two JSON files
 * have one maintainer, so they may say the same. `files` has the file of each subject.
 */
export function findRepeated(events: readonly Event[], files: ReadonlyMap<string, SubjectFile>, display: DisplayPath) {
  const isJson = (file: SubjectFile | undefined): boolean => file?.format === 'subject';
  if ([...files.values()].every(isJson)) return [];
  const fileOf = ({ subject }: Event) => files.get(subject.id);
  const isSame = (a = '', b = ''): boolean => a !== '' && plainWords(a) === plainWords(b);
  const isRepeated = (event: Event, other: Event): boolean => {
    const both = [fileOf(event), fileOf(other)];
    if (both[0] === both[1] || both.every(isJson)) return false;
    return isSame(event.subject.name, other.subject.name) || isSame(event.location?.name, other.location?.name);
  };
  const alike = groupBy(events, (one) => [one.startsAt, one.precision === 'day', plainWords(one.title)].join(' '));
  const repeated = [...alike.values()].flatMap((group) =>
    group.flatMap((event) => {
      const earlier = group.find((one) => one === event || isRepeated(event, one)) ?? event;
      return earlier === event ? [] : { event, earlier };
    }),
  );
  const pathOf = (event: Event): string => display(fileOf(event)?.path ?? '');
  const byFile = groupBy(repeated, ({ event }) => pathOf(event));
  return Array.from(byFile, ([file, found]): Problem => {
    const pairs = found.map(({ event: { title, date }, earlier }) => `${title} on ${date} (${pathOf(earlier)})`);
    const ids = found.flatMap(({ event }) => (fileOf(event)?.format === 'remote' ? event.id : []));
    return { code: 'event-twice', place: wholeFile(file), pairs, ids: ids.slice(0, maxProblemsPerSource) };
  });
}

function addYears(instant: number, years: number): number {
  const date = new Date(instant);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}
