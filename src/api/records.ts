import type { Event } from '../catalogue/model.ts';
import { isoInstant } from '../calendar/time.ts';
import type { EventRecord } from './documents.ts';

/** An event as it is published (specification 2.5). `time_known` is false exactly when only the date is real. */
export function eventRecord(event: Event): EventRecord {
  return {
    id: event.id,
    title: event.title,
    subject: { id: event.subject.id, name: event.subject.name },
    genre: event.genre.id,
    category: event.genre.category,
    starts_at: isoInstant(event.startsAt),
    date: event.date,
    zone: event.zone,
    time_known: event.precision !== 'day',
    precision: event.precision,
    url: event.url,
    upcoming_until: isoInstant(event.upcomingUntil),
  };
}
