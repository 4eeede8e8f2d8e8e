import type { TableMapping } from '../readers/schema/source-types.ts';
import type { CellKind } from '../readers/table/cell-kinds.ts';
import { isPlaceColumn, type TableColumn } from '../readers/table/columns.ts';
import {
  fieldNames,
  isNamed,
  isNote,
  isOtherDate,
  isOuter,
  isSensitive,
  zoneOfName,
} from './column-names.ts';
import { plainName } from '../readers/schema/column-words.ts';
import { isAttendance } from './guess-doubts.ts';
import { hasField, type Column } from './guessed-column.ts';
import { onlyDates } from './start.ts';

/** Gives columns their fields: of each field the first column that is found. */
export function guessFields(columns: readonly Column[], fixed: TableMapping): void {
  // A zone is only that of rows without one of their own.
  const constants = new Set(Object.keys(fixed));
  constants.delete('zone');
  const isOfPerson = columns.some(hasContacts) ? isPersonAlone : () => false;
  for (const { field, kind, names } of fieldNames) {
    if (constants.has(field) || hasField(columns, field)) continue;
    const isOpen = (column: Column) => isFree(column, field) && !isOfPerson(column);
    const free = columns.filter(isOpen);
    const isOfUtc = columns.some((column) => column.field === 'starts' && isInUtc(column));
    // Its name and cells that fit, or cells some of which are dates.
    const findIn = (part: readonly Column[]) =>
      findNamed(part, names, (named) => fits(named, field, kind), isOfUtc) ??
      findNamed(part, names, ({ kinds }) => kinds.has(partial[kind] ?? kind), isOfUtc);
    // What is said of each row counts above what the map around the rows says of all.
    const column =
      // A column that most rows leave empty is not their title.
      (field === 'title' ? findIn(free.filter(isMostlyFilled)) : undefined) ??
      findIn(free.filter(({ name }) => !isOuter(name))) ??
      findIn(free) ??
      (field === 'starts' ? free.find((only) => only === onlyDates(columns)) : undefined);
    if (column !== undefined) column.field = field;
  }
  // An address says nothing without the name of its place.
  if (hasField(columns, 'location')) return;
  for (const column of columns)
    if (!column.isDecided && isPlaceColumn(column.field ?? '')) column.field = null;
}

/**
 * Gives the fields of a list to further columns that only rows without them have, such as a title
 * that some rows call name, or a place that is a map in some.
 */
export function joinFields(columns: readonly Column[], fixed: TableMapping): void {
  for (const { field, kind, names } of fieldNames) {
    const taken = columns.filter((column) => column.field === field);
    if (taken.length === 0 || !joinable.has(field) || Object.hasOwn(fixed, field)) continue;
    for (const name of names) {
      const fitting = columns.filter(
        (column) => isFree(column, field) && fits(column, field, kind),
      );
      const inner = fitting.filter((column) => !isOuter(column.name));
      const isFit = (column: Column) => !taken.some((other) => areRivals(column, other));
      const column = findNamed(inner, [name], isFit);
      if (column === undefined) continue;
      column.field = field;
      taken.push(column);
    }
  }
}

/** Whether two columns are filled in one row. */
function areRivals(first: Column, second: Column): boolean {
  return first.cells.some((cell, row) => cell !== '' && second.cells[row] !== '');
}

const joinable: ReadonlySet<TableColumn> = new Set([
  'title',
  'ends',
  'end_time',
  'url',
  'location',
  'address',
  'description',
  'image',
  'organizer',
]);

function isMostlyFilled({ name, cells }: Column): boolean {
  return !isOuter(name) && cells.filter((cell) => cell !== '').length * 2 >= cells.length;
}

/** Where only some cells are dates or times, the others say that there is none yet. */
const partial: Partial<Record<CellKind, CellKind>> = {
  month: 'dated',
  date: 'date',
  time: 'timed',
};

function fits({ name, kinds }: Column, field: TableColumn, kind: CellKind): boolean {
  if (field === 'starts' && isOtherDate(name)) return false;
  // Numbers may count the rows, and then change in every export.
  if (field === 'id' && kinds.has('number')) return false;
  const isRead = kinds.has('text') && !kinds.has('time') && !kinds.has('month');
  return kinds.has(kind) && (!textFields.has(field) || isRead);
}

/** The fields that people read. */
const textFields: ReadonlySet<string> = new Set([
  'title',
  'subject',
  'location',
  'address',
  'description',
  'organizer',
  'tags',
  'country',
]);

function isFree(column: Column, field: TableColumn): boolean {
  if (column.isDecided || column.field !== null || column.kinds.size === 0) return false;
  if (field === 'hidden' || field === 'published') return true;
  // A host "online" is a place.
  if (field === 'organizer' && column.cells.some(isAttendance)) return false;
  return !isSensitive(column.name) && !isNote(column.name) && !column.kinds.has('personal');
}

/** Whether a column has what people are reached by. */
function hasContacts({ name, kinds }: Column): boolean {
  return kinds.has('personal') || (kinds.size > 0 && isSensitive(name) && !kinds.has('visibility'));
}

/** Whether a column says no more than "name" or "address": beside contacts, that of a person. */
function isPersonAlone({ name }: Column): boolean {
  return /^(?:name|nom|nombre|nome|名前|お名前|氏名|address|adresse|anschrift|direccion|domicilio|住所)$/.test(
    plainName(name),
  );
}

/** Returns the column with the best of some names. Of two with one name, the first. */
function findNamed(
  columns: readonly Column[],
  names: readonly string[],
  isFit: (column: Column) => boolean,
  isOfUtc = false,
): Column | undefined {
  const fitting = columns.filter(isFit);
  // A time at the place says more than the same time in UTC, but not beside a day in UTC.
  const utcColumns = fitting.filter(isInUtc);
  const placeColumns = fitting.filter((column) => !utcColumns.includes(column));
  const groups = [placeColumns, utcColumns];
  for (const group of isOfUtc ? groups.toReversed() : groups) {
    for (const name of names) {
      const column = group.find(({ readings }) => isNamed(readings, name));
      if (column !== undefined) return column;
    }
  }
  return undefined;
}

function isInUtc({ name }: Column): boolean {
  return zoneOfName(name)?.zone === 'UTC';
}
