import type { SubjectEvents } from '../catalogue/genre-content.ts';
import {
  overAt,
  type Announcement,
  type Event,
  type Genre,
  type Location,
  type Subject,
} from '../catalogue/model.ts';
import { announcementState, stateAt, type State } from '../catalogue/state.ts';
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

/** The events of a subject, with dates read in their zones and ids checked within the subject. */
export interface SubjectReading extends Omit<SubjectEvents, 'floating'> {
  readonly findings: readonly ValueFinding[];
  readonly pastCount: number;
  readonly doubts: readonly ValueFinding[];
}

/**
 * Reads the events of a subject, even from an invalid file. Drops events that ended before
 * `pastSince`.
 */
export function readSubject(
  source: PartialSubject,
  id: string,
  genre: Genre,
  { now, pastSince = now, ignored }: Times,
  maxProblems = maxProblemsPerFile,
): SubjectReading {
  const aliases = source.aliases ?? [];
  const subject: Subject = { id, name: source.name ?? '', aliases, url: source.url ?? null };
  // An invalid zone counts as UTC, which causes no further problems.
  const inherited = 'zone' in source ? 'UTC' : (genre.zone ?? null);
  const defaultZone = source.zone === undefined ? inherited : source.zone;
  const defaultLocation =
    source.location === undefined ? (genre.location ?? null) : locationOf(source.location);
  const defaultTags = joinTags(source.tags, genre.tags ?? []);
  const defaultDetails = detailsOf(source, genre.details ?? null);
  const defaultExtra = joinExtra(source.extra, genre.extra ?? null);
  // Joined because V8 would concatenate the parts again for every id.
  const prefix = [genre.id, id, ''].join('/');
  const lists: Record<Exclude<State, 'announced'>, Event[]> = {
    upcoming: [],
    under_way: [],
    cancelled: [],
    over: [],
  };
  const cancelledAnnouncements: Announcement[] = [];
  const announced: Announcement[] = [];
  const findings: ValueFinding[] = [];
  const ids = new Map<string, number>();
  const doubts: ValueFinding[] = [];
  const starts: number[] = [];
  let pastCount = 0;
  const timesOf = (event: PartialEvent, index: number) => {
    const zone = event.zone === undefined ? defaultZone : event.zone;
    return { zone, ...readTimes(event, zone, index, findings) };
  };
  const add = (
    event: PartialEvent,
    index: number,
    { zone, start, end }: ReturnType<typeof timesOf>,
  ): void => {
    const eventId = event.id ?? (event.title === undefined ? null : slug(event.title));
    if (eventId !== null) checkId(eventId, event, index, ids, findings);
    if (start === null) return;
    const location = event.location === undefined ? defaultLocation : locationOf(event.location);
    const fullId = prefix + (eventId ?? '');
    if (ignored?.has(fullId)) return;
    const status = statusOf(event);
    const extra = joinExtra(event.extra, defaultExtra);
    const tooMany = extra === defaultExtra && index > 0 ? null : findTooMany(extra);
    if (tooMany !== null)
      findings.push({ problem: { ...tooMany, key: 'extra' }, path: ['events', index, 'extra'] });
    if ('period' in start) {
      const state = announcementState({ status, announcedUntil: start.announcedUntil }, now);
      const entry = {
        id: fullId,
        title: event.title ?? '',
        subject,
        genre,
        zone,
        location,
        status,
      };
      const tags = joinTags(event.tags, defaultTags);
      const details = detailsOf(event, defaultDetails);
      const problem = { code: 'announcement-past', found: event.starts ?? '', others: 0 } as const;
      const announcement = { ...entry, ...start, url: event.url ?? null, tags, details, extra };
      if (state === 'announced') announced.push(announcement);
      else if (state === 'cancelled') cancelledAnnouncements.push(announcement);
      else if (status !== 'cancelled') doubts.push({ problem, path: ['events', index, 'starts'] });
      return;
    }
    const state = stateAt(
      { status, upcomingUntil: start.upcomingUntil, overAt: end?.overAt ?? null },
      now,
    );
    if (state === 'over') {
      pastCount++;
      if (status === 'cancelled' || overAt({ ...start, end }) <= pastSince) return;
    }
    lists[state].push({
      // Written out: a spread here took a fifth of the time of a whole build.
      precision: start.precision,
      date: start.date,
      startsAt: start.startsAt,
      upcomingUntil: start.upcomingUntil,
      offset: start.offset,
      end,
      id: fullId,
      title: event.title ?? '',
      subject,
      genre,
      zone,
      location,
      url: event.url ?? null,
      status,
      tags: joinTags(event.tags, defaultTags),
      details: detailsOf(event, defaultDetails),
      extra,
    });
  };
  const budget = new Budget();
  (source.events ?? []).forEach((event, index) => {
    const before = findings.length;
    if (before > maxProblems) return;
    const times = timesOf(event, index);
    const { start } = times;
    starts.push(
      start === null ? NaN : 'period' in start ? Date.parse(start.window.from) : start.startsAt,
    );
    if (!isRepeating(event)) {
      add(event, index, times);
      return;
    }
    if (findings.length > before) return;
    for (const occurrence of occurrencesOf(event, index, { now, pastSince }, budget, findings)) {
      if (findings.length === before) add(occurrence, index, timesOf(occurrence, index));
    }
  });
  return {
    subject,
    ...lists,
    cancelledAnnouncements,
    announced,
    findings,
    pastCount,
    doubts: [...doubts, ...findTypos(source.events ?? [], starts, now)],
  };
}

/** Returns a location as the catalogue has it. A source may write only its name. */
export function locationOf(source: LocationSource): Location | null {
  if (source === null) return null;
  const place = typeof source === 'string' ? { name: source } : source;
  const { name, address = null, country = null, latitude = null, longitude = null } = place;
  return { name, address, country, latitude, longitude };
}
