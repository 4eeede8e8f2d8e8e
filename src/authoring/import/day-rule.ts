import { readFirstDate } from '../../readers/dates.ts';
import { isDateCell } from '../../readers/table/cell-kinds.ts';
import type { Rows } from '../../readers/table/rows.ts';
import type { FoundProblem } from '../../readers/schema/finding.ts';
import type { TableMapping } from '../../readers/schema/source-types.ts';
import { isOtherDate, plainName } from '../column-names.ts';
import words from '../../readers/schema/column-words.json' with { type: 'json' };

const startNames = words.days.starts.split(', ');
const clockNames: ReadonlySet<string> = new Set(words.days.clocks.split(', '));
const labelNames: ReadonlySet<string> = new Set(words.days.labels.split(', '));
const zoneNames: ReadonlySet<string> = new Set(['zone', 'timezone', 'time zone', 'tz']);
const otherNames: ReadonlySet<string> = new Set(words.days.others.split(', '));

/** Which values of a page are the day of its event, and which other days the page has. */
export interface DayRule {
  /** The first of them that a page has is its day. */
  readonly starts: readonly string[];
  readonly unused: readonly string[];
  /** A value that is another day than the start where a page has both, and some have only it. */
  readonly unclear: string | null;
}

/**
 * Finds the day of an event among the values of a page. Site generators fill `date` with the day on
 * which a page was written, so a value with a name for starts comes before it, page by page.
 */
export function findDay(rows: Pick<Rows, 'names' | 'body'>, ignored: readonly string[]): DayRule {
  const { names, body } = rows;
  const plain = names.map((name) => (ignored.includes(name) ? '' : plainKey(name)));
  const named = startNames.map((name) => plain.indexOf(name));
  const columns = [...named, names.indexOf(fileDay)].filter(
    (column) => column !== -1 && hasDays(body, column),
  );
  const starts: number[] = [];
  let unclear: number | undefined;
  for (const column of columns) {
    const { needed, both, differing } = compareDays(body, starts, column);
    const isOther = differing > 0 && differing * 2 >= both;
    if (needed > 0 && !isOther) starts.push(column);
    else if (needed > 0) unclear ??= column;
  }
  const never = [...names.keys()].filter((column) => otherNames.has(plain[column] ?? ''));
  // A zone beside a deadline is that of the deadline.
  const hasDeadline = plain.some((name) => name.includes('deadline'));
  const isZone = (column: number): boolean => hasDeadline && zoneNames.has(plain[column] ?? '');
  // The end of a whole day in Google's JSON is the day after it.
  const exclusive = names.includes('start.date') ? [names.indexOf('end.date')] : [];
  const zones = [...names.keys()].filter(isZone);
  const days = new Set([...columns, ...never, ...zones, ...exclusive]);
  const nameOf = (column: number): string => names[column] ?? '';
  const unused = [...days].filter((column) => !starts.includes(column)).map(nameOf);
  return {
    starts: starts.map(nameOf),
    unused: unused.filter((name) => name !== fileDay && name !== ''),
    unclear: unclear === undefined ? null : nameOf(unclear),
  };
}

/** The column of the day in the names of files. */
export const fileDay = '{file.date}';

function hasDays(body: Rows['body'], column: number): boolean {
  const cells = body.map((row) => row.cells[column]?.trim() ?? '');
  const filled = cells.filter((cell) => cell !== '');
  const days = filled.filter((cell) => isDateCell(cell) || isDateCell(`${cell} 2028`));
  return days.length * 2 > filled.length;
}

/**
 * Counts the rows that have a day only in one column, those that have it also in earlier ones, and
 * those in which the two are different days.
 */
function compareDays(body: Rows['body'], earlier: readonly number[], column: number) {
  const counts = { needed: 0, both: 0, differing: 0 };
  for (const { cells } of body) {
    const day = cells[column]?.trim() ?? '';
    const start = earlier.map((other) => cells[other]?.trim() ?? '').find((text) => text !== '');
    if (day === '') continue;
    if (start === undefined) counts.needed++;
    else counts.both++;
    if (start !== undefined && dayOf(start) !== dayOf(day)) counts.differing++;
  }
  return counts;
}

function dayOf(cell: string): string {
  return readFirstDate(cell, 'd/m/y')?.slice(0, 'yyyy-mm-dd'.length) ?? cell;
}

/** Returns a mapping with the day of a list or folder, unless it names one. */
export function withDay(mapping: TableMapping, { starts, unused }: DayRule): TableMapping {
  const { columns = {}, ignore = [] } = mapping;
  const isNamed = Object.values(columns).includes('starts') || ignore === 'others';
  if (starts.length === 0 || isNamed) return mapping;
  const ignoredDays = unused.filter((name) => !Object.hasOwn(columns, name));
  const ignored = [...new Set([ignore, ignoredDays].flat())];
  const days = starts.map((name) => [name, 'starts'] as const);
  const whole = { ...mapping, columns: { ...columns, ...Object.fromEntries(days) } };
  return ignored.length === 0 ? whole : { ...whole, ignore: ignored };
}

/** `startDate`, `start_date`, `params.start-date` and `start.date` → `start date`. */
function plainKey(key: string): string {
  if (isOtherDate(key) || /^end\b/i.test(key)) return plainName(key);
  return plainName(/(?:\b(?:event|start)\.)?[^.]*$/.exec(key)?.[0] ?? key);
}

/**
 * Returns the questions about a list or folder that a mapping leaves open: a title that is only a
 * label, and a day beside a start time that has a day too.
 */
export function questionsAbout(
  { names, body }: Pick<Rows, 'names' | 'body'>,
  { columns = {}, title }: TableMapping,
): FoundProblem[] {
  const nameOf = (field: string): string | undefined =>
    Object.keys(columns).find((name) => columns[name] === field);
  const questions: FoundProblem[] = [];
  const start = nameOf('starts') ?? '';
  const hasClocks = (name: string): boolean =>
    body.some(({ cells }) => /^\d{4}-\d\d-\d\d/.test(cells[names.indexOf(name)] ?? ''));
  const clock = names.find((name) => clockNames.has(plainKey(name)) && hasClocks(name));
  if (clock !== undefined && clock !== start)
    questions.push({
      code: 'unclear-start',
      columns: [start, clock],
      epoch: null,
    });
  if (title === undefined && labelNames.has(plainKey(nameOf('title') ?? ''))) {
    const isOpen = (name: string): boolean => name !== '' && columns[name] === undefined;
    questions.push({
      code: 'unclear-title',
      columns: names.filter(isOpen).slice(0, 6),
    });
  }
  return questions;
}

/** Whether a name is that of a label of the map around rows, such as `{^type}`. */
export function isOfGroup(name: string): boolean {
  return name.startsWith('{^') && labelNames.has(plainKey(name));
}

/** Whether site generators call the day so on which a page was written. */
export function isPageDate(name: string): boolean {
  return plainKey(name) === 'date' || name === fileDay;
}
