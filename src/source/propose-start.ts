import { isStart, readStart } from '../catalogue/time/start.ts';
import { readDate } from './csv/dates.ts';
import type { DateOrder } from './rules.ts';

/** Returns the ISO 8601 form of a start such as `15/01/2027` or `5 May 2027 19:30`, or null if it is unclear. */
export function proposeStart(written: string): string | null {
  if (!/\p{Nd}{4}/u.test(written)) return null;
  // Nobody writes the month first with dots.
  const orders: readonly DateOrder[] = /^\s*\d+\./.test(written) ? ['d.m.y'] : ['d/m/y', 'm/d/y'];
  const readings = new Set(orders.map((order) => readDate(written.trim(), order)));
  const starts = [...readings].filter((one) => one !== null && isAnyStart(one));
  return starts.length === 1 ? (starts[0] ?? null) : null;
}

/** Whether a text is a start in a zone, or one that names its offset. */
function isAnyStart(text: string): boolean {
  return [null, 'UTC'].some((zone) => isStart(readStart(text, zone)));
}
