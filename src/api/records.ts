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

/**
 * The JSON text of {@link eventRecord}, byte for byte, in a third of the time: of its texts only title, name and url
 * can hold what JSON escapes.
 */
export function eventJson(event: Event): string {
  const { subject, genre, zone, precision, startsAt, upcomingUntil } = event;
  const starts = isoInstant(startsAt);
  const until = upcomingUntil === startsAt ? starts : isoInstant(upcomingUntil);
  return (
    `{"id":"${event.id}","title":${JSON.stringify(event.title)},` +
    `"subject":{"id":"${subject.id}","name":${JSON.stringify(subject.name)}},` +
    `"genre":"${genre.id}","category":"${genre.category}",` +
    `"starts_at":"${starts}","date":"${event.date}","zone":${zone === null ? 'null' : `"${zone}"`},` +
    `"time_known":${precision !== 'day'},"precision":"${precision}",` +
    `"url":${JSON.stringify(event.url)},"upcoming_until":"${until}"}`
  );
}
