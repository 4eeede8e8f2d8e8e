import type { EventRecord } from '../api/documents.ts';

/**
 * The fields of an event that {@link renderWhen} reads. Without an end, it formats the start alone.
 */
export type Timed = Pick<EventRecord, 'date' | 'starts_at' | 'time_known' | 'precision'> &
  Partial<Pick<EventRecord, 'end_date' | 'ends_at'>>;

/**
 * Formats when an event happens, by the event time rule of the specification (section 1). If its
 * time is not known, this is its date or its range of dates, such as `8–11 October 2027`, the same
 * for readers everywhere; otherwise the dates and times in `zone`, as fine as the precision of the
 * event, with the name of the zone.
 *
 * @param locale a language tag such as `en-GB`; default: the reader's
 * @param zone an IANA zone, such as `event.zone`; default: the reader's
 * @throws RangeError if there is no such locale or zone
 */
export function renderWhen(
  event: Timed,
  locale?: string | readonly string[] | null,
  zone?: string | null,
): string {
  const render = (start: number, end: number, options: Intl.DateTimeFormatOptions): string => {
    const format = new Intl.DateTimeFormat((locale ?? undefined) as string | undefined, {
      weekday: 'long',
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      ...options,
    });
    return end > start ? format.formatRange(start, end) : format.format(start);
  };
  // Date.parse reads a date as midnight UTC.
  const instants = event.time_known
    ? [event.starts_at, event.ends_at]
    : [event.date, event.end_date];
  const [start = 0, end = start] = instants.filter((text) => text != null).map(Date.parse);
  if (!event.time_known)
    return render(start, end, { timeZone: 'UTC', ...(end > start ? { weekday: undefined } : {}) });
  const isHour =
    event.precision === 'hour' && [start, end].every((instant) => isFullHour(instant, zone));
  return render(start, end, {
    ...(zone ? { timeZone: zone } : {}),
    hour: 'numeric',
    ...(isHour ? {} : { minute: '2-digit' }),
    ...(event.precision === 'second' ? { second: '2-digit' } : {}),
    timeZoneName: 'short',
  });
}

/** A full hour in one zone is half past in some others, so the reader needs the minutes there. */
function isFullHour(instant: number, zone: string | null | undefined): boolean {
  return (
    new Intl.DateTimeFormat('en', {
      minute: 'numeric',
      ...(zone ? { timeZone: zone } : {}),
    }).format(instant) === '0'
  );
}
