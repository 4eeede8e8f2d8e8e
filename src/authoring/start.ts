import { isoDate } from '../catalogue/time/time.ts';
import { findDateFault, readEpochs, readFirstDate } from '../readers/dates.ts';
import { plainName, columnWords, startNames, wordSet } from '../readers/schema/column-words.ts';
import type { FoundProblem } from '../readers/schema/finding.ts';
import { isDateCell } from '../readers/table/cell-kinds.ts';
import type { NamedRows } from '../readers/table/rows.ts';
import { isCalled, isOtherDate, likeliestFirst } from './column-names.ts';
import { mapOf, type Column } from './guessed-column.ts';

/*
 * Which columns are the start. The keys of lists and pages that are called so come first, then a
 * column whose name and cells fit, then the only column of dates.
 */

/** Which keys of a list or folder are the day of its events, and which are other days. */
export interface DayRule {
  /** The first of them that a row has is its day. */
  readonly starts: readonly string[];
  readonly unused: readonly string[];
  /** Keys that are other days than the start where a row has both, and some rows have only them. */
  readonly unclear: readonly string[];
}

/**
 * Finds the day among the keys of rows. Site generators fill `date` with the day on which a page was
 * written, so a key with a name for starts comes before it, row by row.
 */
export function findDay({ names, body }: NamedRows, ignored: readonly string[]): DayRule {
  const closed = new Set([...ignored, fileDay]);
  const keys = names.map((name) => (closed.has(name) ? '' : startKey(name)));
  const textsOf = (name: string) => {
    const place = names.indexOf(name);
    return body.map(({ cells }) => cells[place]?.trim() ?? '');
  };
  const named = [...startNames].flatMap((start) =>
    names.filter((_, place) => keys[place] === start),
  );
  const isOfEvent = (name: string) => eventMaps.test(mapOf(name));
  const starts: string[] = [];
  const unused: string[] = [];
  const unclear: string[] = [];
  const days = body.map(() => '');
  for (const name of [...likeliestFirst(named, isOfEvent), fileDay]) {
    const texts = textsOf(name);
    if (!hasDays(texts)) continue;
    const rows = [...texts.keys()].filter((row) => texts[row] !== '');
    const both = rows.filter((row) => days[row] !== '');
    const differing = both.filter((row) => dayOf(days[row]) !== dayOf(texts[row]));
    const isOther = differing.length > 0 && differing.length * 2 >= both.length;
    const isNeeded = rows.length > both.length;
    if (isNeeded && !isOther) {
      starts.push(name);
      for (const row of rows) days[row] ||= texts[row] ?? '';
    } else if (name !== fileDay) unused.push(name);
    if (isNeeded && isOther) unclear.push(name);
  }
  // A zone beside a deadline is that of the deadline.
  const hasDeadline = keys.some((key) => key.includes('deadline'));
  const rest = names.filter((name, place) => {
    const key = keys[place] ?? '';
    const isZone = hasDeadline && zoneNames.has(key);
    // The end of a whole day in Google's JSON is the day after it.
    const isExclusive = name === 'end.date' && names.includes('start.date');
    return otherNames.has(key) || isZone || isExclusive;
  });
  return {
    starts,
    unused: [...unused, ...rest],
    unclear,
  };
}

/** The maps that say when an event is. Others may say it of something else, such as parking. */
const eventMaps =
  /^(?:(?:.*\.)?(?:dates?|when|schedule|times?|timing|datetime|period|start|event|params|extra|data|details|fields|attributes|properties|frontmatter|\d+))?$/i;

/** The column of the day in the names of files. */
export const fileDay = '{file.date}';

const clockNames = wordSet(columnWords.days.clocks);
const zoneNames = wordSet('zone, timezone, time zone, tz');
const otherNames = wordSet(columnWords.days.others);

function hasDays(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text !== '');
  const days = filled.filter((text) => isDateCell(text) || isDateCell(`${text} 2028`));
  return days.length * 2 > filled.length;
}

function dayOf(cell = ''): string {
  return readFirstDate(cell, 'd/m/y')?.slice(0, 'yyyy-mm-dd'.length) ?? cell;
}

/** `startDate`, `start_date`, `params.start-date` and `start.date` → `start date`. */
export function startKey(path: string): string {
  if (isOtherDate(path) || /^end\b/i.test(path)) return plainName(path);
  const [last = path] = /(?:\b(?:event|start)\.)?[^.]*$/.exec(path) ?? [];
  return plainName(last);
}

/** Returns the column of a time of the start whose cells have a day too. */
export function dayOfClocks({ names, body }: NamedRows): string | undefined {
  return names.find((name, place) => {
    if (!clockNames.has(startKey(name))) return false;
    return body.some(({ cells }) => /^\d{4}-\d\d-\d\d/.test(cells[place] ?? ''));
  });
}

/** Whether site generators call the day so on which a page was written. */
export function isPageDate(name: string): boolean {
  return startKey(name) === 'date' || name === fileDay;
}

/** Returns the only column of dates, unless its name says that it has other dates. */
export function onlyDates(columns: readonly Column[]): Column | undefined {
  const [only, ...more] = columns.filter(hasDates);
  if (only === undefined || more.length > 0 || only.kinds.has('epoch')) return undefined;
  return isOtherDate(only.name) ? undefined : only;
}

function hasDates({ kinds }: Column): boolean {
  return kinds.has('month') || kinds.has('epoch');
}

/** Asks which of the columns of dates is the start. */
export function questionOfStart(columns: readonly Column[]): FoundProblem {
  const dated = columns.filter((column) => column.name !== '' && hasDates(column));
  if (dated.length === 0) return findNearest(columns);
  // The sentence proposes the first.
  const candidates = likeliestFirst(dated, ({ name }) => !isOtherDate(name));
  const counting = candidates.find(({ kinds }) => kinds.has('epoch'));
  const column = counting?.name ?? '';
  const cell = counting?.cells.find((text) => text !== '')?.split(/[\s,]/)[0] ?? '';
  const [time] = readEpochs(cell) ?? [];
  const epoch =
    time === undefined
      ? null
      : {
          column,
          cell,
          date: isoDate(time),
        };
  return {
    code: 'unclear-start',
    columns: candidates.map(({ name }) => name),
    epoch,
  };
}

/** Returns the problem of a table without dates, with the column that is closest. */
function findNearest(columns: readonly Column[]): FoundProblem {
  const column = columns.find(({ readings }) => isCalled(readings, 'starts'));
  const filled = column?.cells.filter((cell) => cell !== '') ?? [];
  const wrong = filled.filter((cell) => !isDateCell(cell));
  const names = columns.map(({ name }) => name);
  return {
    code: 'no-dates',
    names: names.filter((name) => name !== ''),
    column: column?.name ?? null,
    cells: wrong.slice(0, 3),
    reason: findDateFault(wrong[0] ?? '', 'd/m/y'),
  };
}
