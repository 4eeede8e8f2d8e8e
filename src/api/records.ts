import type { Event, Genre, Subject } from '../catalogue/model.ts';
import { isoInstant } from '../catalogue/time/time.ts';
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
 *
 * @param ofSubject what {@link subjectJson} makes of its subject
 */
export function eventJson(event: Event, ofSubject: string): string {
  const { zone, precision, startsAt, upcomingUntil } = event;
  const starts = isoInstant(startsAt);
  const until = upcomingUntil === startsAt ? starts : isoInstant(upcomingUntil);
  return (
    `{"id":"${event.id}","title":${quoted(event.title)}${ofSubject}${starts}","date":"${event.date}` +
    `${zone === null ? '","zone":null' : `","zone":"${zone}"`}${precisions[precision]}` +
    `${event.url === null ? 'null' : quoted(event.url)},"upcoming_until":"${until}"}`
  );
}

/** A text as JSON. Few hold what JSON escapes, and to look for that is the faster way. */
function quoted(text: string): string {
  return escapes.test(text) ? JSON.stringify(text) : `"${text}"`;
}

// eslint-disable-next-line no-control-regex -- JSON escapes them
const escapes = /["\\\u0000-\u001f\ud800-\udfff]/;

/** What the records of a subject's events have in common, between their titles and their starts. */
export function subjectJson({ id, name }: Subject, { id: genre, category }: Genre): string {
  // Joined, not concatenated: a text in one piece is copied faster into each record.
  return [
    `,"subject":{"id":"${id}","name":${JSON.stringify(name)}},`,
    `"genre":"${genre}","category":"${category}","starts_at":"`,
  ].join('');
}

/** What a record says of its precision, from the zone to the url. */
const precisions = {
  day: ',"time_known":false,"precision":"day","url":',
  hour: ',"time_known":true,"precision":"hour","url":',
  minute: ',"time_known":true,"precision":"minute","url":',
  second: ',"time_known":true,"precision":"second","url":',
} as const;
