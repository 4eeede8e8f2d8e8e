import type { EventRecord } from '../api/documents.ts';

/** The fields of an event that {@link renderWhen} reads. */
export type Timed = Pick<EventRecord, 'date' | 'starts_at' | 'time_known' | 'precision'>;

/**
 * Formats when an event starts, by the event time rule of the specification (section 1). If its time is not known, this
 * is the date alone, the same for readers everywhere; otherwise the date and the time in `zone`, as fine as the precision
 * of the event, with the name of the zone.
 *
 * @param locale a language tag such as `en-GB`; default: the reader's
 * @param zone an IANA zone, such as `event.zone`; default: the reader's
 * @throws RangeError if there is no such locale or zone
 */
export function renderWhen(event: Timed, locale?: string | readonly string[] | null, zone?: string | null): string {
  const render = (instant: number, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat((locale ?? undefined) as string | undefined, {
      weekday: 'long',
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      ...options,
    }).format(instant);
  // Date.parse reads a date as midnight UTC.
  if (!event.time_known) return render(Date.parse(event.date), { timeZone: 'UTC' });
  const start = Date.parse(event.starts_at);
  const isHour = event.precision === 'hour' && isFullHour(start, zone);
  return render(start, {
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
    new Intl.DateTimeFormat('en', { minute: 'numeric', ...(zone ? { timeZone: zone } : {}) }).format(instant) === '0'
  );
}
