import type { EventRecord } from '../api/documents.ts';

/** What {@link renderWhen} needs of an event. */
export type Timed = Pick<EventRecord, 'date' | 'starts_at' | 'time_known' | 'precision'>;

/**
 * When an event is, in words: the event time rule of the specification, section 1.
 * An event whose time is not known gets its date alone, the same for readers everywhere. Any other gets date and time in
 * `zone` with the zone named, as fine as its precision.
 *
 * @param locale a language tag such as `en-GB`; without it, the reader's own
 * @param zone an IANA zone, such as `event.zone`; without it, the reader's own
 * @throws RangeError for a locale or zone that there is not
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
  // A calendar date has no zone: it is written in the one in which it was read.
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

/** An hour of one zone is the half of an hour in some others, where it would be wrong without its minutes. */
function isFullHour(instant: number, zone: string | null | undefined): boolean {
  return (
    new Intl.DateTimeFormat('en', { minute: 'numeric', ...(zone ? { timeZone: zone } : {}) }).format(instant) === '0'
  );
}
