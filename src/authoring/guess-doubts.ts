import type { FoundProblem } from '../readers/schema/finding.ts';
import { plainWords } from '../catalogue/text.ts';
import { attendances, readChoice, statuses } from '../readers/schema/rules.ts';
import {
  fieldNames,
  isAboutChange,
  isAboutStatus,
  isCalled,
  isNamed,
  isNote,
  isOnIfTrue,
  isOtherDate,
  isSensitive,
  likeliestFirst,
  maybeAboutStatus,
  partlyNamed,
} from './column-names.ts';
import { columnWords, wordSet } from '../readers/schema/column-words.ts';
import { visibilityOf, type TableColumn } from '../readers/table/columns.ts';
import { columnOf, hasField, type Column, type Refused } from './guessed-column.ts';
import { questionOfStart } from './start.ts';

/** Returns the questions that must be answered: which column is the start, the title, the status. */
export function questionsAbout(columns: readonly Column[], hasTitle: boolean): FoundProblem[] {
  const problems: FoundProblem[] = [];
  if (!hasField(columns, 'starts')) problems.push(questionOfStart(columns));
  if (!hasTitle) {
    const candidates = columns.filter(mayBeTitle);
    const names = candidates.map(({ name }) => name);
    problems.push({
      code: 'unclear-title',
      // The sentence proposes the first.
      columns: likeliestFirst(names, (name) => partlyNamed(name).includes('title')),
    });
  }
  return [...problems, ...questionsOfStatus(columns)];
}

function mayBeTitle(column: Column): boolean {
  if (isWithheldTitle(column)) return true;
  const { name, kinds, isDecided } = column;
  if (isDecided || isDateLike(kinds)) return false;
  return kinds.has('short') && !isSensitive(name) && !isOtherDate(name);
}

/** Whether a column is called a title, but has telephone numbers or the like. */
export function isWithheldTitle({ readings, kinds, isDecided }: Column): boolean {
  return !isDecided && kinds.has('personal') && isCalled(readings, 'title');
}

function isDateLike(kinds: Column['kinds']): boolean {
  return kinds.has('month') || kinds.has('time') || kinds.has('epoch');
}

function questionsOfStatus(columns: readonly Column[]): FoundProblem[] {
  const isCovered = hiddenRows(columns);
  return columns.flatMap((column): FoundProblem[] => {
    const { name, cells, kinds, field, isDecided } = column;
    if (isDecided || field !== null) return [];
    const hasDays = isDateLike(kinds);
    if (hasDays && !isAboutChange(name)) return [];
    const isDoubtful = hasDays ? (cell: string) => cell !== '' : doubtAbout(column);
    const texts = cells.filter((cell, row) => !isCovered(row) && isDoubtful(cell));
    if (texts.length === 0) return [];
    return [
      {
        code: 'unclear-status',
        column: name,
        field: isOnIfTrue(name) ? 'published' : 'hidden',
        cells: [...new Set(texts)].slice(0, 3),
        rows: texts.length,
      },
    ];
  });
}

/** Returns whether a row is left out because a column says that it is hidden. */
function hiddenRows(columns: readonly Column[]): (row: number) => boolean {
  const hidden = columnOf(columns, 'hidden');
  return (row) => {
    const visibility = visibilityOf(hidden?.cells[row] ?? '');
    return visibility === 'true' || visibility === 'hidden';
  };
}

/** Returns which cells of a column may say that an event is off or not for the public. */
function doubtAbout(column: Column): (cell: string) => boolean {
  const { name, kinds } = column;
  if (isAboutStatus(name) && !isRegion(column)) return (cell) => meansAnything(cell, name);
  const isCount = kinds.has('number') && !kinds.has('boolean');
  if (isCount || !maybeAboutStatus(name)) return isDoubtfulWord;
  const isUnderstood = (cell: string) =>
    readChoice(cell, statuses) !== null || visibilityOf(cell) !== null;
  return (cell) => isDoubtfulWord(cell) || (isUnderstood(cell) && meansAnything(cell, name));
}

/** Whether a column "State" has parts of a country. */
function isRegion({ readings, cells }: Column): boolean {
  const isNamedSo = ['state', 'estado', 'etat'].some((word) => readings.has(word));
  return isNamedSo && !cells.some((cell) => readChoice(cell, statuses) !== null);
}

/** Whether a cell about the status of an event says more than that it takes place. */
function meansAnything(cell: string, name: string): boolean {
  if (cell === '') return false;
  const status = readChoice(cell, statuses);
  if (status !== null) return status !== 'confirmed';
  const visibility = visibilityOf(cell);
  return visibility !== 'visible' && visibility !== String(isOnIfTrue(name));
}

/** Whether a cell of any column is, or begins with, a word such as "cancelled" or "draft". */
function isDoubtfulWord(cell: string): boolean {
  if (doubtfulWords.has(readChoice(cell, statuses) ?? plainWords(cell))) return true;
  const [words = '', word = ''] = /^(\p{L}+)(?: \p{L}+)?/u.exec(cell) ?? [];
  return [word, words].some((text) => isOffWord(readChoice(text, statuses)));
}

function isOffWord(status: string | null): boolean {
  return status === 'cancelled' || status === 'postponed';
}

const doubtfulWords = wordSet(columnWords.doubtful);

/**
 * Returns a sentence about each column that is not published although its name or its cells fit a
 * field.
 */
export function remarksAbout(columns: readonly Column[], hasTitle: boolean): string[] {
  const isTaken = (field: TableColumn) =>
    hasField(columns, field) || (field === 'title' && hasTitle);
  return columns.flatMap((column) => {
    const { name, field, isDecided } = column;
    if (isDecided || field !== null || isNote(name)) return [];
    const likely = likelyField(column, isTaken);
    if (likely === null) return [];
    const option = JSON.stringify(`${name}=${likely.field}`);
    return [`"${name}" is not published: ${likely.reason}; --column ${option} would publish it`];
  });
}

/** Returns what a column could be, or null if nothing suggests a field. */
function likelyField(column: Column, isTaken: (field: TableColumn) => boolean): Refused | null {
  const { name, cells, kinds, readings } = column;
  if (column.refused !== null) return column.refused;
  const isPrivate = isSensitive(name) || kinds.has('personal');
  const wholly = fieldNames.filter(({ names }) => names.some((word) => isNamed(readings, word)));
  const freeField = wholly.find(({ field }) => !isTaken(field)) ?? wholly[0];
  const partly = partlyNamed(name).find((field) => isPrivate || couldBe(column, field));
  const field = freeField?.field ?? partly ?? likelyTime(column, isTaken);
  if (field === null || (isOtherDate(name) && !isPrivate && isDateLike(kinds))) return null;
  const isEmpty = cells.every((cell) => cell === '');
  if (isEmpty && freeField === undefined) return null;
  const reasons: readonly (readonly [holds: boolean, reason: string])[] = [
    [isEmpty, 'it is empty'],
    [isSensitive(name), 'its name says that it is not for everybody'],
    [
      kinds.has('personal'),
      'it has e-mail addresses, telephone numbers, or addresses of meetings or with a password',
    ],
    [freeField === undefined && partly !== undefined, 'only a part of its name fits'],
    [freeField === undefined, 'its name does not say so'],
    [isTaken(field), `another column is the "${field}"`],
    [cells.some(isAttendance), 'its cells do not fit'],
    [couldBe(column, field), 'beside contacts, it may be of a person'],
    [true, 'its cells do not fit'],
  ];
  const [, reason = ''] = reasons.find(([holds]) => holds) ?? [];
  return { field, reason };
}

/** Whether a cell says how people take part, such as `online`. */
export function isAttendance(cell: string): boolean {
  return readChoice(cell, attendances) !== null;
}

/** Whether the cells of a column could be those of a field. */
function couldBe({ kinds }: Column, field: TableColumn): boolean {
  const rows = fieldNames.filter((row) => row.field === field);
  return rows.some(({ kind }) =>
    ['text', 'short', 'filled', 'unique'].includes(kind) ? kinds.has('text') : kinds.has(kind),
  );
}

/** Returns what a column of dates or times with another name could be. */
function likelyTime(
  { name, kinds }: Column,
  isTaken: (field: TableColumn) => boolean,
): TableColumn | null {
  if (isOtherDate(name)) return null;
  if (kinds.has('date')) return 'starts';
  return kinds.has('time') && !kinds.has('number') && !isTaken('time') ? 'time' : null;
}
