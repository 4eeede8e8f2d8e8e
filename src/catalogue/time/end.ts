import { isStart, readStart, type Precision, type Start, type StartFault } from './start.ts';
import { day, isoDate } from './time.ts';
import { wallAt } from './zone.ts';

/** When an event ends. Instants are milliseconds since the Unix epoch. */
export interface End {
  /** The last calendar date `YYYY-MM-DD` on which the event happens. */
  readonly endDate: string;
  /** Midnight UTC of `endDate` if only the date is real. */
  readonly endsAt: number;
  readonly overAt: number;
}

/** Why an end cannot be read. `found` is the end, with the date that a time of day leaves out. */
export type EndFault =
  | { readonly code: 'bad-ends' | 'ends-imprecise' | 'ends-before-starts'; readonly found: string }
  | (Exclude<StartFault, { readonly code: 'bad-starts' }> & { readonly found: string });

/** Whether an end could be read. */
export function isEnd(reading: End | EndFault): reading is End {
  return 'endDate' in reading;
}

/** The start that an end follows. */
interface WrittenStart {
  /** As the source writes it. */
  readonly starts: string;
  /** As read. */
  readonly start: Start;
}

/**
 * Reads an end as a source writes it: like the start that it follows and as precisely, or as a time
 * on the same day. A clock time of midnight ends the day before.
 *
 * @param isInherited whether the zone comes from the subject, genre or service, so the end may have
 * another offset
 */
export function readEnd(
  text: string,
  { starts, start }: WrittenStart,
  zone: string | null,
  isInherited = false,
): End | EndFault {
  const isTimeOfDay = timeOfDay.test(text);
  if (isTimeOfDay && start.precision === 'day') return { code: 'ends-imprecise', found: text };
  const offset = offsetAtEnd.exec(starts)?.[0] ?? '';
  const isOfZone = zone !== null && !isInherited && offset !== 'Z';
  const whole = isTimeOfDay
    ? `${starts.slice(0, dateLength)}T${text}${isOfZone ? '' : offset}`
    : text;
  // An end without an offset is not in the zone if its start has an offset that may differ from the
  // zone's.
  const isOpen = isInherited && offset !== '' && !offsetAtEnd.test(whole);
  const reading = readStart(whole, isOpen ? null : zone, isInherited);
  if ('code' in reading && reading.code === 'bad-starts') return { code: 'bad-ends', found: text };
  if ('code' in reading) return { ...reading, found: whole };
  if (!isStart(reading) || isLessPrecise(reading, start))
    return { code: 'ends-imprecise', found: whole };
  const { startsAt: endsAt, upcomingUntil: overAt, date, precision } = reading;
  if (endsAt < start.startsAt)
    return {
      code: 'ends-before-starts',
      found: whole,
    };
  const endsAtMidnight =
    zone === null ? writtenMidnight.test(whole) : wallAt(zone, endsAt) % day === 0;
  const last = precision !== 'day' && endsAtMidnight ? isoDate(Date.parse(date) - day) : date;
  return {
    endDate: last < start.date ? start.date : last,
    endsAt,
    overAt,
  };
}

function isLessPrecise(end: Start, start: Start): boolean {
  return (
    fineness[end.precision] < fineness[start.precision] ||
    (start.precision === 'day') !== (end.precision === 'day')
  );
}

const fineness: Readonly<Record<Precision, number>> = {
  day: 0,
  hour: 1,
  minute: 2,
  second: 3,
};
const timeOfDay = /^\d\d:\d\d(:\d\d)?$/;
const writtenMidnight = /T00(:00){0,2}(Z|[+-]\d\d:\d\d)?$/;
const offsetAtEnd = /(?<=T.*)(?:Z|[+-]\d\d:\d\d)$/;
const dateLength = 'yyyy-mm-dd'.length;
