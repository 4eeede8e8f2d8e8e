import { isDateCell } from '../../readers/table/cell-kinds.ts';
import type { Rows } from '../../readers/table/rows.ts';
import type { FoundProblem } from '../../readers/schema/finding.ts';
import type { TableMapping } from '../../readers/schema/source-types.ts';
import { plainName } from '../column-names.ts';
import words from '../../readers/schema/column-words.json' with { type: 'json' };

const startNames = words.days.starts.split(', ');
const clockNames: ReadonlySet<string> = new Set(words.days.clocks.split(', '));
const labelNames: ReadonlySet<string> = new Set(words.days.labels.split(', '));
const zoneNames: ReadonlySet<string> = new Set(['zone', 'timezone', 'time zone', 'tz']);
const otherNames: ReadonlySet<string> = new Set(words.days.others.split(', '));

/** Which value of a page is the day of its event, and which other days the page has. */
export interface DayRule {
  /** Null if none of the values that name a day does. */
  readonly starts: string | null;
  readonly unused: readonly string[];
}

/**
 * Finds the day of an event among the values of a page. Site generators fill `date` with the day on
 * which a page was written, so a value with a name for starts comes before it.
 */
export function findDay({ names, body }: Pick<Rows, 'names' | 'body'>): DayRule {
  const hasDays = (column: number): boolean => {
    const filled = body
      .map(({ cells }) => cells[column]?.trim() ?? '')
      .filter((cell) => cell !== '');
    const days = filled.filter((cell) => isDateCell(cell) || isDateCell(`${cell} 2028`));
    return days.length * 2 > filled.length;
  };
  const plain = names.map(plainKey);
  const columns = startNames.map((name) => plain.indexOf(name)).filter((column) => column !== -1);
  const start = columns.find(hasDays);
  const never = [...names.keys()].filter((column) => otherNames.has(plain[column] ?? ''));
  // A zone beside a deadline is that of the deadline.
  const hasDeadline = plain.some((name) => name.includes('deadline'));
  const zones = hasDeadline
    ? [...names.keys()].filter((column) => zoneNames.has(plain[column] ?? ''))
    : [];
  const days = [...columns.filter(hasDays), ...never, ...zones];
  const unused = days.filter((column) => column !== start);
  return {
    starts: start === undefined ? null : (names[start] ?? null),
    unused: [...new Set(unused)].map((column) => names[column] ?? ''),
  };
}

/** Returns a mapping with the day of a list or folder, unless it names one. */
export function withDay(mapping: TableMapping, { starts, unused }: DayRule): TableMapping {
  const { columns = {}, ignore = [] } = mapping;
  if (starts === null || Object.values(columns).includes('starts') || ignore === 'others')
    return mapping;
  const ignoredDays = unused.filter((name) => !Object.hasOwn(columns, name));
  const ignored = [...new Set([ignore, ignoredDays].flat())];
  const whole = {
    ...mapping,
    columns: { ...columns, [starts]: 'starts' },
  };
  return ignored.length === 0 ? whole : { ...whole, ignore: ignored };
}

/** `startDate`, `start_date` and `event.start-date` → `start date`. */
function plainKey(key: string): string {
  return plainName(/(?:\bevent\.)?[^.]*$/.exec(key)?.[0] ?? key);
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
  const hasDays = (name: string): boolean =>
    body.some(({ cells }) => /^\d{4}-\d\d-\d\d/.test(cells[names.indexOf(name)] ?? ''));
  const clock = names.find((name) => clockNames.has(plainKey(name)) && hasDays(name));
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

/** Whether the day of pages is only what site generators call the day on which they were written. */
export function isPageDate(name: string): boolean {
  return plainKey(name) === 'date';
}
