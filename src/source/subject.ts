import type { SubjectEvents } from '../catalogue/genre-content.ts';
import {
  overAt,
  type Announcement,
  type Event,
  type Genre,
  type Location,
} from '../catalogue/model.ts';
import { announcementState, stateAt } from '../catalogue/state.ts';
import { detailsOf, joinTags, statusOf } from './details.ts';
import { findTypos } from './doubts.ts';
import { findTooMany, joinExtra } from '../readers/schema/extra.ts';
import { checkId } from '../readers/schema/event-ids.ts';
import { readTimes } from './event-times.ts';
import { maxProblemsPerFile, type ValueFinding } from '../readers/schema/finding.ts';
import { Budget } from '../readers/ics/recurrence.ts';
import type {
  LocationSource,
  PartialEvent,
  PartialSubject,
} from '../readers/schema/source-types.ts';
import type { Times } from '../readers/schema/reading.ts';
import { isRepeating, occurrencesOf } from './repeat.ts';
import { slug } from '../catalogue/id.ts';
import type { Period, Start } from '../catalogue/time/start.ts';

/** The events of a subject, with dates read in their zones and ids checked within the subject. */
export interface SubjectReading extends Omit<SubjectEvents, 'floating'> {
  readonly findings: readonly ValueFinding[];
  readonly pastCount: number;
  readonly doubts: readonly ValueFinding[];
}

/**
 * Reads the events of a subject (specification 2.5), even those of an invalid file. An event whose
 * start is invalid is in no list. Drops events that were over before `times.pastSince`, and those
 * that `times.ignored` names.
 *
 * @param id the id of the subject, with which the ids of its events begin
 * @param times what is kept, and the number of findings after which the rest is not read
 */
export function readSubject(
  source: PartialSubject,
  id: string,
  genre: Genre,
  times: Times & { readonly maxProblems?: number },
): SubjectReading {
  const { maxProblems = maxProblemsPerFile } = times;
  const reading = new EventReading(inherit(source, id, genre), times);
  const events = source.events ?? [];
  for (const [index, event] of events.entries()) {
    if (reading.findings.length > maxProblems) break;
    reading.read(event, index);
  }
  const { level, lists, pastCount, findings, doubts, starts } = reading;
  const typos = findTypos(events, starts, times.now);
  return {
    subject: level.subject,
    ...lists,
    pastCount,
    findings,
    doubts: [...doubts, ...typos],
  };
}

type Inherited = 'subject' | 'genre' | 'zone' | 'location' | 'tags' | 'details' | 'extra';

/** What the events of a subject have from it, its genre and the service. */
interface Level extends Pick<Event, Inherited> {
  /** What the ids of its events begin with. */
  readonly idPrefix: string;
}

function inherit(source: PartialSubject, id: string, genre: Genre): Level {
  const { name = '', aliases = [], url = null } = source;
  // An invalid zone counts as UTC, which causes no further problems.
  const zoneAbove = 'zone' in source ? 'UTC' : (genre.zone ?? null);
  const locationAbove = genre.location ?? null;
  return {
    subject: { id, name, aliases, url },
    genre,
    // Joined because V8 would concatenate the parts again for every id.
    idPrefix: [genre.id, id, ''].join('/'),
    zone: source.zone === undefined ? zoneAbove : source.zone,
    location: source.location === undefined ? locationAbove : locationOf(source.location),
    tags: joinTags(source.tags, genre.tags ?? []),
    details: detailsOf(source, genre.details ?? null),
    extra: joinExtra(source.extra, genre.extra ?? null),
  };
}

/** When an event happens, as its source says or as it inherits it. */
interface Moments extends ReturnType<typeof readTimes> {
  readonly zone: string | null;
}

/** Reads the events of a subject one by one, and sorts them by their states. */
class EventReading {
  readonly level: Level;
  readonly lists = {
    upcoming: [] as Event[],
    under_way: [] as Event[],
    cancelled: [] as Event[],
    over: [] as Event[],
    announced: [] as Announcement[],
    cancelledAnnouncements: [] as Announcement[],
  };
  /** The number of events that are over, whether or not they are in a list. */
  pastCount = 0;
  readonly findings: ValueFinding[] = [];
  readonly doubts: ValueFinding[] = [];
  /** The first instant of each event, NaN if it is invalid. */
  readonly starts: number[] = [];
  readonly times: Times;
  readonly indexById = new Map<string, number>();
  readonly budget = new Budget();

  constructor(level: Level, times: Times) {
    this.level = level;
    this.times = times;
  }

  read(event: PartialEvent, index: number): void {
    const faultsBefore = this.findings.length;
    const moments = this.#readMoments(event, index);
    this.starts.push(firstInstant(moments.start));
    if (!isRepeating(event)) {
      this.#add(event, index, moments);
      return;
    }
    if (this.findings.length > faultsBefore) return;
    const occurrences = occurrencesOf(event, index, this);
    for (const occurrence of occurrences) {
      if (this.findings.length > faultsBefore) return;
      this.#add(occurrence, index, this.#readMoments(occurrence, index));
    }
  }

  #readMoments(event: PartialEvent, index: number): Moments {
    const zone = event.zone === undefined ? this.level.zone : event.zone;
    const { start, end } = readTimes(event, zone, index, this.findings);
    return { zone, start, end };
  }

  #add(event: PartialEvent, index: number, moments: Moments): void {
    const { start } = moments;
    const id = this.#idOf(event, index);
    if (start === null || this.times.ignored?.has(id) === true) return;
    this.#checkExtra(event, index);
    if ('period' in start) this.#addAnnouncement(event, index, id, { ...moments, start });
    else this.#addEvent(event, id, { ...moments, start });
  }

  /** Returns the id of an event in the catalogue. Reports one that is missing or repeated. */
  #idOf(event: PartialEvent, index: number): string {
    const { id, title } = event;
    const eventId = id ?? (title === undefined ? null : slug(title));
    if (eventId !== null) checkId(eventId, event, index, this);
    return this.level.idPrefix + (eventId ?? '');
  }

  /** Reports too many fields of the catalogue's own; those that all events inherit only once. */
  #checkExtra(event: PartialEvent, index: number): void {
    if (event.extra === undefined && index > 0) return;
    const problem = findTooMany(joinExtra(event.extra, this.level.extra));
    if (problem === null) return;
    this.findings.push({
      problem: { ...problem, key: 'extra' },
      path: ['events', index, 'extra'],
    });
  }

  #addAnnouncement(
    event: PartialEvent,
    index: number,
    id: string,
    moments: Moments & { readonly start: Period },
  ): void {
    const { start } = moments;
    const status = statusOf(event);
    const course = {
      status,
      announcedUntil: start.announcedUntil,
    };
    const state = announcementState(course, this.times.now);
    if (state !== 'over') {
      const announcement = {
        ...this.#entry(event, id, moments.zone, status),
        ...start,
      };
      const { announced, cancelledAnnouncements } = this.lists;
      (state === 'announced' ? announced : cancelledAnnouncements).push(announcement);
      return;
    }
    if (status === 'cancelled') return;
    this.doubts.push({
      problem: {
        code: 'announcement-past',
        found: event.starts ?? '',
        others: 0,
      },
      path: ['events', index, 'starts'],
    });
  }

  #addEvent(event: PartialEvent, id: string, moments: Moments & { readonly start: Start }): void {
    const { zone, start, end } = moments;
    const { now, pastSince = now } = this.times;
    const status = statusOf(event);
    const { upcomingUntil } = start;
    const state = stateAt(
      {
        status,
        upcomingUntil,
        overAt: end?.overAt ?? null,
      },
      now,
    );
    if (state === 'over') {
      this.pastCount++;
      const isDropped = status === 'cancelled' || overAt({ end, upcomingUntil }) <= pastSince;
      if (isDropped) return;
    }
    this.lists[state].push(Object.assign(this.#entry(event, id, zone, status), start, { end }));
  }

  /** Returns what an event and an announcement have in common. */
  #entry(
    event: PartialEvent,
    id: string,
    zone: string | null,
    status: Event['status'],
  ): Omit<Event, keyof Start | 'end'> {
    const { level } = this;
    return {
      id,
      title: event.title ?? '',
      subject: level.subject,
      genre: level.genre,
      zone,
      location: event.location === undefined ? level.location : locationOf(event.location),
      url: event.url ?? null,
      status,
      tags: joinTags(event.tags, level.tags),
      details: detailsOf(event, level.details),
      extra: joinExtra(event.extra, level.extra),
    };
  }
}

/** Returns the first instant of a start or of a period; NaN if it is invalid. */
function firstInstant(start: Moments['start']): number {
  if (start === null) return NaN;
  if ('period' in start) return Date.parse(start.window.from);
  return start.startsAt;
}

/** Returns a location as the catalogue has it. A source may write only its name. */
export function locationOf(source: LocationSource): Location | null {
  if (source === null) return null;
  const place = typeof source === 'string' ? { name: source } : source;
  const { name, address = null, country = null, latitude = null, longitude = null } = place;
  return {
    name,
    address,
    country,
    latitude,
    longitude,
  };
}
