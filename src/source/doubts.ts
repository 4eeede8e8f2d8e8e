import { groupBy } from '../catalogue/group.ts';
import type { Event } from '../catalogue/model.ts';
import { wholeFile, type DisplayPath, type Problem } from '../problem/problem.ts';
import { maxProblemsPerSource, type ValueFinding } from '../readers/schema/finding.ts';
import { plainWords } from '../readers/schema/plain-words.ts';
import type { PartialEvent } from '../readers/schema/source-types.ts';
import type { SubjectFile } from '../readers/schema/file-kinds.ts';

type Moment = { readonly index: number; readonly startsAt: number };

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
  if (!starts.some((one) => one > addYears(now, 5) || one < yearAgo)) return [];
  const moments = starts.flatMap((startsAt, index) =>
    Number.isNaN(startsAt) ? [] : { index, startsAt },
  );
  moments.sort((a, b) => a.startsAt - b.startsAt);
  const startOf = ({ index }: Moment): string => events[index]?.starts ?? '';
  const far = moments.filter(({ index, startsAt }, position) => {
    const before = moments[position - 1]?.startsAt ?? now;
    return startsAt > addYears(Math.max(before, now), 5) && events[index]?.far_ahead !== true;
  });
  const found = far
    .toSorted((a, b) => a.index - b.index)
    .map((moment): ValueFinding => {
      const problem = { code: 'far-ahead', found: startOf(moment), others: 0 } as const;
      return { problem, path: ['events', moment.index, 'starts'] };
    });
  // An announcement says too little about when the others are.
  const dated = moments.filter((moment) => /^\d{4}-\d\d-\d\d/.test(startOf(moment)));
  const year = yearMeant(dated, now, yearAgo);
  const [first] = dated;
  if (first === undefined || year === null) return found;
  const problem = { code: 'year-behind', found: startOf(first), year, others: 0 } as const;
  return [...found, { problem, path: ['events', first.index, 'starts'] }];
}

/**
 * Returns the year that puts the first start among the others, if it is the only one that is over
 * for more than a year and at least two others are ahead. Otherwise null.
 */
function yearMeant(
  [first, second, ...others]: readonly Moment[],
  now: number,
  yearAgo: number,
): number | null {
  if (first === undefined || second === undefined) return null;
  const last = others.at(-1) ?? second;
  const ahead = [second, ...others].filter(({ startsAt }) => startsAt > now).length;
  if (first.startsAt >= yearAgo || second.startsAt < yearAgo || ahead < 2) return null;
  const years = Array.from({ length: 100 }, (_, before) => addYears(first.startsAt, before + 1));
  const moved = years.find((one) => one >= Math.max(second.startsAt, now));
  return moved === undefined || moved > last.startsAt ? null : new Date(moved).getUTCFullYear();
}

/**
 * Warns of events that another file has too: with the same start and title, of the same subject or
 * place. Equal events in two JSON files are intended: people wrote both. `files` has the file of each
 * subject.
 */
export function findRepeated(
  events: readonly Event[],
  files: ReadonlyMap<string, SubjectFile>,
  display: DisplayPath,
) {
  const isJson = (file: SubjectFile | undefined): boolean => file?.kind === 'subject';
  if ([...files.values()].every(isJson)) return [];
  const fileOf = ({ subject }: Event) => files.get(subject.id);
  const keysOf = ({ startsAt, precision, title, subject, location }: Event): string[] =>
    [subject.name, location?.name ?? ''].flatMap((name, of) =>
      name === ''
        ? []
        : [of, startsAt, precision === 'day', plainWords(title), '\n', plainWords(name)].join(' '),
    );
  // The first event of each file with a key: comparing all with all would take a large table
  // minutes.
  const known = new Map<string, Event[]>();
  const repeated = events.flatMap((event) => {
    const file = fileOf(event);
    const lists = keysOf(event).map((key) => known.get(key) ?? known.set(key, []).get(key) ?? []);
    const earlier = lists
      .flat()
      .find((one) => fileOf(one) !== file && !(isJson(file) && isJson(fileOf(one))));
    for (const list of lists) if (!list.some((one) => fileOf(one) === file)) list.push(event);
    return earlier === undefined ? [] : { event, earlier };
  });
  const pathOf = (event: Event): string => display(fileOf(event)?.path ?? '');
  const byFile = groupBy(repeated, ({ event }) => pathOf(event));
  return Array.from(byFile, ([file, found]): Problem => {
    const pairs = found.map(
      ({ event: { title, date }, earlier }) => `${title} on ${date} (${pathOf(earlier)})`,
    );
    const ids = found.flatMap(({ event }) => (fileOf(event)?.kind === 'remote' ? event.id : []));
    return {
      code: 'event-twice',
      place: wholeFile(file),
      pairs,
      ids: ids.slice(0, maxProblemsPerSource),
    };
  });
}

function addYears(instant: number, years: number): number {
  const date = new Date(instant);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}
