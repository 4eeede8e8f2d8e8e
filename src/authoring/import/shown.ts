import { isoDate } from '../../catalogue/time/time.ts';
import { readCountry } from '../../readers/schema/country.ts';
import { readChoice, statuses, type DateOrder } from '../../readers/schema/rules.ts';
import type { TableMapping } from '../../readers/schema/source-types.ts';
import { booleanOf, isErrorValue } from '../../readers/table/columns.ts';
import type { NamedRows } from '../../readers/table/rows.ts';
import {
  readDate,
  readDates,
  readEpochs,
  readFirstDate,
  readTime,
  splitTimes,
  zoneWord,
} from '../../readers/dates.ts';

/** A column as `import` shows it: what it is, and its first values as they are read. */
export interface ShownColumn {
  readonly name: string;
  readonly field: string;
  readonly values: readonly string[];
}

/** Returns the columns that a mapping names, each with its first three values. */
export function showColumns(
  { names, body }: NamedRows,
  { columns = {}, dates = 'iso' }: TableMapping,
): ShownColumn[] {
  return names.flatMap((name, index) => {
    const field = columns[name];
    if (field === undefined) return [];
    const cells = body.map((row) => row.cells[index]?.trim() ?? '');
    const first = cells.filter((cell) => cell !== '').slice(0, 3);
    return [{ name, field, values: first.map((cell) => showCell(cell, field, dates)) }];
  });
}

function showCell(cell: string, field: string, dates: DateOrder): string {
  const [zone = ''] = timeFields.has(field) ? (zoneWord.exec(cell) ?? []) : [];
  const text = cell.slice(0, cell.length - zone.length);
  const value = isErrorValue(cell) ? 'empty' : readCell(text, field, dates) + zone;
  return value === cell ? cell : `${cell} → ${value}`;
}

const timeFields: ReadonlySet<string> = new Set(['starts', 'ends', 'time', 'end_time']);

function readCell(cell: string, field: string, dates: DateOrder): string {
  if (field === 'starts' || field === 'ends') return readDay(cell, dates);
  if (field === 'time' || field === 'end_time') return readTimes(cell);
  if (field === 'status') return readChoice(cell, statuses) ?? 'not read';
  if (field === 'country') return readCountry(cell) ?? cell;
  return field === 'cancelled' ? booleanOf(cell) : cell;
}

/** `7 PM` → `19:00`, `7-9 PM` → `19:00 – 21:00` */
function readTimes(cell: string): string {
  const times = splitTimes(cell).filter((time) => time !== '');
  const texts = times.map(readTime);
  return texts.includes(null) ? cell : texts.join(' – ');
}

/** `03.04.2027 19:30` → `Sat 3 Apr 2027, 19:30`, `3.-4.4.2027` → `Sat 3 Apr 2027 – Sun 4 Apr 2027` */
function readDay(cell: string, dates: DateOrder): string {
  const [epoch] = readEpochs(cell) ?? [];
  if (epoch !== undefined) return dayText(isoDate(epoch));
  const span = readDate(cell, dates) === null ? readDates(cell, dates) : null;
  if (span !== null) return span.map(dayText).join(' – ');
  const date = readFirstDate(cell, dates);
  return date === null ? 'not read' : dayText(date);
}

/** `2027-04-03T19:30` → `Sat 3 Apr 2027, 19:30` */
function dayText(date: string): string {
  const [day = '', time] = date.split('T');
  const instant = new Date(`${day}T00:00:00Z`);
  if (day.length < 10) return date;
  // JavaScript takes 30 February for 2 March.
  if (Number.isNaN(instant.getTime()) || isoDate(instant.getTime()) !== day) return 'not read';
  const [weekday = '', number, month, year] = instant.toUTCString().split(' ');
  const dateText = `${weekday.slice(0, 3)} ${Number(number)} ${month} ${year}`;
  return time === undefined ? dateText : `${dateText}, ${time}`;
}
