import { isStart, readStart } from '../catalogue/time/start.ts';

/**
 * Returns the ISO 8601 form of a start that is written in another common form, such as `2027-1-5`, `15/01/2027` or
 * `2027-01-05 19:30`. Returns null if it is unclear, as `05/01/2027` is, or not a start at all.
 */
export function proposeStart(written: string): string | null {
  const { year, month, day, time = '', offset = '' } = partsOf(written.trim());
  if (year === undefined || month === undefined || day === undefined) return null;
  const clock = time === '' ? '' : `T${time.padStart(time.length + (/^\d:/.test(time) ? 1 : 0), '0')}`;
  const zone = offset.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const proposal = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${clock}${zone}`;
  const reading = readStart(proposal, offset === '' ? 'UTC' : null);
  return isStart(reading) ? proposal : null;
}

interface Parts {
  readonly year?: string;
  readonly month?: string;
  readonly day?: string;
  readonly time?: string;
  readonly offset?: string;
}

const clock = String.raw`(?:[T, ]+(?<time>\d{1,2}:\d\d(?::\d\d)?)(?:\.\d+)? ?(?<offset>Z|[+-]\d\d:?\d\d)?)?$`;
const yearFirst = new RegExp(
  String.raw`^(?<year>\d{4})(?<separator>[-/. ])(?<month>\d\d?)\k<separator>(?<day>\d\d?)${clock}`,
  'i',
);
const withoutSeparators = new RegExp(String.raw`^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)${clock}`, 'i');
const yearLast = new RegExp(
  String.raw`^(?<first>\d\d?)(?<separator>[-/.])(?<second>\d\d?)\k<separator>(?<year>\d{4})${clock}`,
  'i',
);

function partsOf(written: string): Parts {
  const groups = (yearFirst.exec(written) ?? withoutSeparators.exec(written))?.groups;
  if (groups !== undefined) return groups;
  const { first = '', second = '', separator, ...rest } = yearLast.exec(written)?.groups ?? {};
  // Dates with dots begin with the day. With other separators, a number above 12 must be the day.
  if (separator === '.' || +first > 12 || first === second) return { ...rest, day: first, month: second };
  return +second > 12 ? { ...rest, day: second, month: first } : {};
}
