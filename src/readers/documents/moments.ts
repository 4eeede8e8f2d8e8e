import { isDate } from '../table/cell-kinds.ts';

/** What the rest of a row says about the texts of its start and end. */
export interface MomentFacts {
  /** The year of texts without one. Empty if nothing says it. */
  readonly year: string;
  readonly isAllDay: boolean;
  /** The offset of a zone such as `UTC-12` or `AoE`. Empty if the row has none. */
  readonly offset: string;
  /** Whether seconds that are zero are known to be. */
  readonly hasSeconds: boolean;
}

const moment = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)? ?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * Returns the text of a start or end with what the rest of its row says. Programs write seconds
 * that are not known as zero.
 */
export function completeMoment(
  cell: string,
  { year, isAllDay, offset, hasSeconds }: MomentFacts,
): string {
  const text = cell.trim();
  const [, day = '', clock = '', seconds = '', zone = ''] = moment.exec(text) ?? [];
  if (day === '') return completeYear(text, year);
  if (isAllDay) return day;
  const isExact = seconds !== '' && (hasSeconds || seconds !== '00');
  const time = isExact ? `${clock}:${seconds}` : clock;
  const [, sign = '', hours = '', minutes = ''] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  return `${day}T${time}${sign === '' ? zone || offset : `${sign}${hours}:${minutes}`}`;
}

/** Returns a date without a year with the year that something else says. Empty: nothing does. */
export function completeYear(text: string, year: string): string {
  if (year === '' || text === '' || /\d{4}/.test(text)) return text;
  const candidates = [`${text} ${year}`, `${text}, ${year}`, `${text}${year}`];
  return candidates.find((candidate) => isDate(candidate, 'yyyy-mm')) ?? text;
}

/** Returns the offset of a zone that is one, such as `UTC-12` or `AoE` (anywhere on earth). */
export function fixedOffset(zone: string): string | null {
  if (/^aoe$/i.test(zone)) return '-12:00';
  const [, sign, hours = '', minutes = '00'] =
    /^(?:UTC|GMT)([+-])(\d\d?)(?::?(\d\d))?$/i.exec(zone) ?? [];
  return sign === undefined ? null : `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

/** Whether a text says that there is no day yet. */
export function isNoDay(text: string): boolean {
  return /^(?:t\.?b\.?[acd]\.?|to be (?:announced|confirmed|determined)|[-–—?]*)$/i.test(
    text.trim(),
  );
}
