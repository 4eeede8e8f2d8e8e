import { countEach, groupBy } from '../catalogue/group.ts';
import type { Event } from '../catalogue/model.ts';
import { memoize } from '../catalogue/time/memoize.ts';
import { wholeFile, type DisplayPath, type Problem } from '../problem/problem.ts';
import { maxProblemsPerSource, type ValueFinding } from '../readers/schema/finding.ts';
import { plainWords } from '../catalogue/text.ts';
import type { PartialEvent } from '../readers/schema/source-types.ts';
import type { SubjectFile } from '../readers/schema/file-kinds.ts';

type Moment = { readonly index: number; readonly startsAt: number };
type TypoKind = { code: 'far-ahead' } | { code: 'year-behind'; year: number };

/**
 * Finds starts of a subject that are valid but probably have a typo in their year: those far ahead
 * of all others, and one that is over for years while the others are ahead.
 *
 * @param starts when each event starts, by its index; NaN if that is not known
 */
export function findTypos(
  events: readonly PartialEvent[],
  starts: readonly number[],
  now: number,
): ValueFinding[] {
  const yearAgo = addYears(now, -1);
  // Most subjects have no such start.
  const latest = addYears(now, 5);
  if (!starts.some((start) => start > latest || start < yearAgo)) return [];
  const moments = starts
    .map((startsAt, index) => ({ index, startsAt }))
    .filter(({ startsAt }) => !Number.isNaN(startsAt))
    .sort((a, b) => a.startsAt - b.startsAt);
  const startOf = ({ index }: Moment) => events[index]?.starts ?? '';
  const findingOf = (moment: Moment, kind: TypoKind): ValueFinding => ({
    problem: { ...kind, found: startOf(moment), others: 0 },
    path: ['events', moment.index, 'starts'],
  });
  const far = moments.filter(({ index, startsAt }, position) => {
    const before = moments[position - 1]?.startsAt ?? now;
    const isFar = startsAt > addYears(Math.max(before, now), 5);
    return isFar && events[index]?.far_ahead !== true;
  });
  far.sort((a, b) => a.index - b.index);
  const typos = far.map((moment) => findingOf(moment, { code: 'far-ahead' }));
  // An announcement says too little about when the others are.
  const dated = moments.filter((moment) => /^\d{4}-\d\d-\d\d/.test(startOf(moment)));
  const year = yearMeant(dated, now, yearAgo);
  const [first] = dated;
  if (first === undefined || year === null) return typos;
  return [...typos, findingOf(first, { code: 'year-behind', year })];
}

/**
 * Returns the year that puts the first start among the others, if it is the only one that is over
 * for more than a year and at least two others are ahead. Otherwise null.
 */
function yearMeant(
  [first, second, ...later]: readonly Moment[],
  now: number,
  yearAgo: number,
): number | null {
  if (first === undefined || second === undefined) return null;
  const last = later.at(-1) ?? second;
  const ahead = [second, ...later].filter(({ startsAt }) => startsAt > now).length;
  if (first.startsAt >= yearAgo || second.startsAt < yearAgo || ahead < 2) return null;
  const years = Array.from({ length: 100 }, (_, before) => addYears(first.startsAt, before + 1));
  const earliest = Math.max(second.startsAt, now);
  const start = years.find((year) => year >= earliest) ?? Infinity;
  if (start > last.startsAt) return null;
  return new Date(start).getUTCFullYear();
}

/** An event that another file has too, at least probably. */
interface Repeated {
  readonly event: Event;
  readonly earlier: Event;
  /** Whether the two also have the same subject or place. */
  readonly isSure: boolean;
}

/**
 * Warns of events that another file has too: with the same start and title, and of the same subject
 * or place. Where a local file says no place, half of its events must be in the other file. Two JSON
 * files have one maintainer, so they may say the same. `files` has the file of each subject.
 */
export function findRepeated(
  events: readonly Event[],
  files: ReadonlyMap<string, SubjectFile>,
  display: DisplayPath,
): Problem[] {
  const isJson = (file: SubjectFile | undefined) => file?.kind === 'subject';
  if ([...files.values()].every(isJson)) return [];
  const fileOf = ({ subject }: Event) => files.get(subject.id);
  const pathOf = (event: Event) => display(fileOf(event)?.path ?? '');
  // One event alone is a chance, except in a file of a form, whose subject has the event's title.
  const isOfForm = (event: Event) => {
    return isJson(fileOf(event)) && event.title === event.subject.name;
  };
  const repeated = repeatedIn(events, (event, earlier) => {
    const file = fileOf(event);
    const earlierFile = fileOf(earlier);
    if (file === earlierFile) return false;
    return !isJson(file) || !isJson(earlierFile);
  });
  const sizes = countEach(events.map(fileOf));
  const sidesOf = ({ event, earlier }: Repeated) => [event, earlier];
  const pairs = groupBy(repeated, (pair) => sidesOf(pair).map(pathOf).join('\n'));
  const reports = [...pairs.values()].flatMap((pair) => {
    const sides = pair.slice(0, 1).flatMap(sidesOf);
    const least = Math.min(...sides.map((event) => sizes.get(fileOf(event)) ?? 0));
    const areLocal = sides.every((event) => fileOf(event)?.kind !== 'remote');
    const isEnough = pair.length > 1 || sides.some(isOfForm);
    const isHalf = isEnough && pair.length * 2 >= least;
    if (areLocal && isHalf) return pair;
    return pair.filter(({ isSure }) => isSure);
  });
  const sentenceOf = ({ event, earlier }: Repeated) =>
    `${event.title} on ${event.date} (${pathOf(earlier)})`;
  const byFile = groupBy(reports, ({ event }) => pathOf(event));
  return Array.from(byFile, ([path, ofFile]): Problem => {
    const remote = ofFile.filter(({ event }) => fileOf(event)?.kind === 'remote');
    const ids = remote.map(({ event }) => event.id);
    return {
      code: 'event-twice',
      place: wholeFile(path),
      pairs: ofFile.map(sentenceOf),
      ids: ids.slice(0, maxProblemsPerSource),
    };
  });
}

/**
 * Finds the events that an earlier one of another file equals. Compares only the first of each file
 * with a key: comparing all with all would take a large table minutes.
 */
function repeatedIn(
  events: readonly Event[],
  isOfOther: (event: Event, earlier: Event) => boolean,
): Repeated[] {
  const listAt = memoize((_key: string): Event[] => []);
  return events.flatMap((event): Repeated[] => {
    const { startsAt, precision, title, subject, location } = event;
    const isWholeDay = precision === 'day';
    const start = [startsAt, isWholeDay, plainWords(title)].join(' ');
    const place = location?.name ?? '';
    const keys = [`of ${plainWords(subject.name)}`];
    if (place !== '') keys.push(`at ${plainWords(place)}`);
    const lists = keys.map((key) => listAt(`${start}\n${key}`));
    const alike = listAt(start);
    const isEarlier = (earlier: Event) => isOfOther(event, earlier);
    const sure = lists.flat().find(isEarlier);
    const hasNoPlace = (earlier: Event) => place === '' || !earlier.location;
    const perhaps = alike.find((earlier) => isEarlier(earlier) && hasNoPlace(earlier));
    for (const list of [...lists, alike]) if (list.every(isEarlier)) list.push(event);
    const earlier = sure ?? perhaps;
    if (earlier === undefined) return [];
    return [{ event, earlier, isSure: sure !== undefined }];
  });
}

function addYears(instant: number, years: number): number {
  const date = new Date(instant);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}
