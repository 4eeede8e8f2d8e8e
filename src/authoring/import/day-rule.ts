import { readFirstDate } from '../../readers/dates.ts';
import { isDateCell } from '../../readers/table/cell-kinds.ts';
import type { Rows } from '../../readers/table/rows.ts';
import type { FoundProblem } from '../../readers/schema/finding.ts';
import type { TableMapping } from '../../readers/schema/source-types.ts';
import { isOtherDate } from '../column-names.ts';
import { isOuter } from '../guess-fields.ts';
import { mapOf } from '../guessed-column.ts';
import { columnWords, plainName, wordSet } from '../../readers/schema/column-words.ts';

const startNames = [...wordSet(columnWords.days.starts)];
const clockNames = wordSet(columnWords.days.clocks);
const labelNames = wordSet(columnWords.days.labels);
const zoneNames = wordSet('zone, timezone, time zone, tz');
const otherNames = wordSet(columnWords.days.others);

/** Which values of a page are the day of its event, and which other days the page has. */
export interface DayRule {
  /** The first of them that a page has is its day. */
  readonly starts: readonly string[];
  readonly unused: readonly string[];
  /** Values that are other days than the start where a page has both, and some have only them. */
  readonly unclear: readonly string[];
}

/**
 * Finds the day of an event among the values of a page. Site generators fill `date` with the day on
 * which a page was written, so a value with a name for starts comes before it, page by page.
 */
export function findDay(
  { names, body }: Pick<Rows, 'names' | 'body'>,
  ignored: readonly string[],
): DayRule {
  const closed = new Set([...ignored, fileDay]);
  const plain = names.map((name) => (closed.has(name) ? '' : plainKey(name)));
  const textsOf = (column: number) => body.map(({ cells }) => cells[column]?.trim() ?? '');
  const columnsOf = (name: string) => [...plain.keys()].filter((place) => plain[place] === name);
  const named = startNames.flatMap(columnsOf).filter((column) => hasDays(textsOf(column)));
  const isOfEvent = (column: number) => eventMaps.test(mapOf(names[column] ?? ''));
  const fileDays = hasDays(textsOf(names.indexOf(fileDay))) ? [names.indexOf(fileDay)] : [];
  const columns = [
    ...named.filter(isOfEvent),
    ...named.filter((column) => !isOfEvent(column)),
    ...fileDays,
  ];
  const starts: number[] = [];
  const unclear: number[] = [];
  let days = textsOf(-1);
  for (const column of columns) {
    const texts = textsOf(column);
    const filled = [...texts.keys()].filter((row) => texts[row] !== '');
    const both = filled.filter((row) => days[row] !== '');
    const differing = both.filter((row) => dayOf(days[row]) !== dayOf(texts[row]));
    if (filled.length === both.length) continue;
    const isOther = differing.length > 0 && differing.length * 2 >= both.length;
    (isOther ? unclear : starts).push(column);
    if (!isOther) days = days.map((day, row) => day || (texts[row] ?? ''));
  }
  // A zone beside a deadline is that of the deadline.
  const hasDeadline = plain.some((name) => name.includes('deadline'));
  const rest = names.filter((name, column) => {
    const key = plain[column] ?? '';
    const isZone = hasDeadline && zoneNames.has(key);
    // The end of a whole day in Google's JSON is the day after it.
    const isExclusive = name === 'end.date' && names.includes('start.date');
    return otherNames.has(key) || isZone || isExclusive;
  });
  const nameOf = (column: number) => names[column] ?? '';
  const unused = columns.filter((column) => !starts.includes(column)).map(nameOf);
  return {
    starts: starts.map(nameOf),
    unused: [...unused, ...rest].filter((name) => name !== fileDay),
    unclear: unclear.map(nameOf),
  };
}

/** The maps that say when an event is. Others may say it of something else, such as parking. */
const eventMaps =
  /^(?:(?:.*\.)?(?:dates?|when|schedule|times?|timing|datetime|period|start|event|params|extra|data|details|fields|attributes|properties|frontmatter|\d+))?$/i;

/** The column of the day in the names of files. */
export const fileDay = '{file.date}';

function hasDays(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text !== '');
  const days = filled.filter((text) => isDateCell(text) || isDateCell(`${text} 2028`));
  return days.length * 2 > filled.length;
}

function dayOf(cell = ''): string {
  return readFirstDate(cell, 'd/m/y')?.slice(0, 'yyyy-mm-dd'.length) ?? cell;
}

/** Returns a mapping with the day of a list or folder, unless it names one. */
export function withDay(mapping: TableMapping, { starts, unused }: DayRule): TableMapping {
  const { columns = {}, ignore = [] } = mapping;
  if (starts.length === 0 || ignore === 'others') return mapping;
  const ignoredDays = unused.filter((name) => !Object.hasOwn(columns, name));
  const ignored = [...new Set([...ignore, ...ignoredDays])];
  const days = Object.fromEntries(starts.map((name) => [name, 'starts'] as const));
  return {
    ...mapping,
    columns: { ...columns, ...days },
    ...(ignored.length > 0 && { ignore: ignored }),
  };
}

/** `startDate`, `start_date`, `params.start-date` and `start.date` → `start date`. */
function plainKey(key: string): string {
  if (isOtherDate(key) || /^end\b/i.test(key)) return plainName(key);
  return plainName(/(?:\b(?:event|start)\.)?[^.]*$/.exec(key)?.[0] ?? key);
}

/**
 * Returns the questions about a list or folder that a mapping leaves open: a title that is only a
 * label, and a day beside a start time that has a day too.
 *
 * @param answers the columns that the user has named, or an earlier mapping
 */
export function questionsAbout(
  { names, body }: Pick<Rows, 'names' | 'body'>,
  { columns = {}, title }: TableMapping,
  answers: ReadonlySet<string>,
): FoundProblem[] {
  const nameOf = (field: string): string | undefined =>
    Object.keys(columns).find((name) => columns[name] === field);
  const questions: FoundProblem[] = [];
  const start = nameOf('starts') ?? '';
  const hasClocks = (name: string) =>
    body.some(({ cells }) => /^\d{4}-\d\d-\d\d/.test(cells[names.indexOf(name)] ?? ''));
  const clock = names.find((name) => clockNames.has(plainKey(name)) && hasClocks(name));
  if (clock !== undefined && clock !== start && !answers.has(start))
    questions.push({
      code: 'unclear-start',
      columns: [start, clock],
      epoch: null,
    });
  const label = nameOf('title') ?? '';
  if (title === undefined && labelNames.has(plainKey(label)) && !answers.has(label)) {
    const isOpen = (name: string) => name !== '' && columns[name] === undefined;
    questions.push({
      code: 'unclear-title',
      columns: [...names.filter(isOpen), label],
    });
  }
  return questions;
}

/** Whether a name is that of a label of the map around rows, such as `{^type}`. */
export function isOfGroup(name: string): boolean {
  return isOuter(name) && labelNames.has(plainKey(name));
}

/** Whether site generators call the day so on which a page was written. */
export function isPageDate(name: string): boolean {
  return plainKey(name) === 'date' || name === fileDay;
}
