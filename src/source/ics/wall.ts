/** A date or a date with a clock time, as ical.js writes it. */
export interface Wall {
  /** The wall time, read as if it were UTC; midnight of a date alone. Milliseconds since 1970. */
  readonly wall: number;
  readonly isDate: boolean;
  readonly isUtc: boolean;
}

/** Reads `2027-03-04`, `2027-03-04T20:00:00` or the same with a Z; null where it is none, or no real date. */
export function readWall(written: string): Wall | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(Z)?)?$/.exec(written);
  if (match === null) return null;
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0));
  // A leap second is the last one that clocks here can show.
  const wall = Date.UTC(year, month - 1, date, hours, minutes, Math.min(seconds, 59));
  const isReal = new Date(Date.UTC(year, month - 1, date)).getUTCDate() === date && month >= 1 && month <= 12;
  if (!isReal || hours > 23 || minutes > 59 || seconds > 60) return null;
  return { wall, isDate: match[4] === undefined, isUtc: match[7] !== undefined };
}
