import type { Announcement, Event, EventDetails, Genre, Location, Subject } from '../catalogue/model.ts';
import { isEnd, readEnd, type End } from '../catalogue/time/end.ts';
import { memoize } from '../catalogue/time/memoize.ts';
import type { Period } from '../catalogue/time/period.ts';
import { readStart, type Start } from '../catalogue/time/start.ts';
import { isZone, nearestZone } from '../catalogue/time/zone.ts';
import { maxProblemsPerFile, type ValueFinding, type JsonPath, type FoundProblem } from './finding.ts';
import { maxIdCharacters } from '../catalogue/id.ts';
import { proposeStart } from './propose-start.ts';
import { slug } from './slug.ts';
import type { EventSource, LocationSource, SubjectSource } from './json/validate.ts';

/** The events of a subject, with dates read in their zones and ids checked within the subject. */
export interface SubjectReading {
  readonly subject: Subject;
  /** Dated events that are upcoming and not cancelled. */
  readonly upcoming: readonly Event[];
  /** Events that have begun, are not over, and are not cancelled. */
  readonly underWay: readonly Event[];
  /** Dated events that would not be over if they were not cancelled. */
  readonly cancelled: readonly Event[];
  /** The ids of announced events that are cancelled. */
  readonly cancelledAnnouncements: readonly string[];
  /** Announcements whose period is not over. */
  readonly announced: readonly Announcement[];
  readonly findings: readonly ValueFinding[];
  /** The number of events that are over. */
  readonly past: number;
  /** Starts that are valid, but probably not meant. */
  readonly doubts: readonly ValueFinding[];
}

/** An event or subject whose invalid fields are undefined. */
type Blanked<T> = { readonly [Key in keyof T]?: T[Key] | undefined };
export type PartialEvent = Blanked<EventSource>;
export type PartialSubject = Blanked<Omit<SubjectSource, 'events'>> & { readonly events?: readonly PartialEvent[] };

/** The fields of an event that are read, and not published as they are written. */
export type ReadField = 'id' | 'title' | 'starts' | 'ends' | 'zone' | 'location' | 'cancelled';

/** The other fields need no reading. The compiler holds them to those that the catalogue has. */
type Details = Pick<PartialEvent, keyof EventDetails> & Pick<EventDetails, Exclude<keyof EventSource, ReadField>>;

/**
 * Reads the events of a subject and keeps those that are not over at `now` (milliseconds since the Unix epoch).
 * Also accepts the valid parts of an invalid file, to find its other problems.
 */
export function readSubject(source: PartialSubject, id: string, genre: Genre, now: number): SubjectReading {
  const aliases = source.aliases ?? [];
  const subject: Subject = { id, name: source.name ?? '', aliases, url: source.url ?? null };
  const defaultZone = defaultZoneOf(source, genre);
  const defaultLocation = source.location === undefined ? (genre.location ?? null) : locationOf(source.location);
  // Joined because V8 would concatenate the parts again for every id.
  const prefix = [genre.id, id, ''].join('/');
  const upcoming: Event[] = [];
  const underWay: Event[] = [];
  const cancelled: Event[] = [];
  const cancelledAnnouncements: string[] = [];
  const announced: Announcement[] = [];
  const findings: ValueFinding[] = [];
  const ids = new Map<string, number>();
  const doubts: ValueFinding[] = [];
  const horizon = fiveYearsAfter(now);
  let past = 0;
  checkAliases(source, findings);
  (source.events ?? []).forEach((event, index) => {
    if (findings.length > maxProblemsPerFile) return;
    const eventId = event.id ?? (event.title === undefined ? null : slug(event.title));
    if (eventId !== null) checkId(eventId, event, index, ids, findings);
    const zone = zoneOf(event, defaultZone);
    const start = startOf(event, zone, index, findings);
    const end = event.ends === undefined ? null : endOf(event, start, zone, index, findings);
    if (start === null) return;
    const location = event.location === undefined ? defaultLocation : locationOf(event.location);
    if ('period' in start) {
      if (event.cancelled === true) {
        cancelledAnnouncements.push(prefix + (eventId ?? ''));
        return;
      }
      const entry = { id: prefix + (eventId ?? ''), title: event.title ?? '', subject, genre, zone, location };
      if (start.announcedUntil > now) announced.push({ ...entry, ...start, details: event satisfies Details });
      else doubts.push(doubt('announcement-past', event, index));
      if (Date.parse(start.window.from) > horizon) doubts.push(doubt('far-ahead', event, index));
    } else if (start.upcomingUntil <= now && (end === null || end.overAt <= now)) past++;
    else {
      if (start.startsAt > horizon) doubts.push(doubt('far-ahead', event, index));
      const list = event.cancelled === true ? cancelled : start.upcomingUntil > now ? upcoming : underWay;
      list.push({
        // Written out: a spread here took a fifth of the time of a whole build.
        precision: start.precision,
        date: start.date,
        startsAt: start.startsAt,
        upcomingUntil: start.upcomingUntil,
        end,
        id: prefix + (eventId ?? ''),
        title: event.title ?? '',
        subject,
        genre,
        zone,
        location,
        details: event satisfies Details,
      });
    }
  });
  return {
    subject,
    upcoming,
    underWay,
    cancelled,
    cancelledAnnouncements,
    announced,
    findings: findings.length === 0 ? findings : propose(findings, source, ids),
    past,
    doubts,
  };
}

function doubt(code: 'far-ahead' | 'announcement-past', { starts = '' }: PartialEvent, index: number): ValueFinding {
  return { problem: { code, found: starts, others: 0 }, path: ['events', index, 'starts'] };
}

/** Events that start later than this are probably in a year with a typo. */
const fiveYearsAfter = memoize((now: number): number =>
  new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + 5),
);

/** Returns the zone of events that name none. In place of an invalid zone it is one that causes no further problems. */
function defaultZoneOf(source: PartialSubject, genre: Genre): string | null {
  if (source.zone !== undefined) return source.zone;
  return 'zone' in source ? 'UTC' : (genre.zone ?? null);
}

/** Returns a location as the catalogue has it. A source may write its name alone. */
export function locationOf(written: LocationSource): Location | null {
  if (written === null) return null;
  if (typeof written === 'string') {
    return { name: written, address: null, country: null, latitude: null, longitude: null };
  }
  const { name, address = null, country = null, latitude = null, longitude = null } = written;
  return { name, address, country, latitude, longitude };
}

function checkAliases({ name, aliases = [] }: PartialSubject, findings: ValueFinding[]): void {
  // Invalid aliases are undefined, and already reported.
  (aliases as readonly (string | undefined)[]).forEach((alias, index) => {
    if (alias === undefined || (alias !== name && aliases.indexOf(alias) === index)) return;
    findings.push({ problem: { code: 'repeated-alias', alias }, path: ['aliases', index] });
  });
}

/** Proposes a free id for each event whose id is taken: its title and start, with a number if that is taken too. */
function propose(
  findings: readonly ValueFinding[],
  { events = [] }: PartialSubject,
  ids: ReadonlyMap<string, number>,
): ValueFinding[] {
  const taken = new Set(ids.keys());
  return findings.map((finding) => {
    const { problem, path } = finding;
    if (problem.code !== 'duplicate-id') return finding;
    const { title = '', starts = '' } = events[Number(path[1])] ?? {};
    const start = slug(starts);
    let proposal = withEnding(title, start || '2');
    for (let number = 2; taken.has(proposal); number++) {
      proposal = withEnding(title, start === '' ? `${number}` : `${start}-${number}`);
    }
    taken.add(proposal);
    return { ...finding, problem: { ...problem, proposal } };
  });
}

/** Returns the slug of a title followed by an ending, cut to the length of an id. */
function withEnding(title: string, ending: string): string {
  const most = maxIdCharacters - ending.length - 1;
  return `${slug(title).slice(0, most).replace(/-$/, '')}-${ending}`.replace(/^-+/, '');
}

function checkId(
  id: string,
  event: PartialEvent,
  index: number,
  ids: Map<string, number>,
  findings: ValueFinding[],
): void {
  const earlier = ids.get(id);
  if (earlier === undefined && id !== '') {
    ids.set(id, index);
    return;
  }
  // An invalid id is already reported.
  if (event.id === undefined && 'id' in event) return;
  const { title = '' } = event;
  const path: JsonPath = ['events', index, event.id === undefined ? 'title' : 'id'];
  if (earlier === undefined) findings.push({ problem: { code: 'empty-slug', title }, path });
  else {
    const problem = { code: 'duplicate-id', id, proposal: null } as const;
    findings.push({ problem, path, first: ['events', earlier] });
  }
}

/** The zone of an event. The default does not apply to a time that has an offset, nor if the event says null. */
function zoneOf({ zone, starts }: PartialEvent, defaultZone: string | null): string | null {
  if (zone !== undefined) return zone;
  return starts !== undefined && timeWithOffset.test(starts) ? null : defaultZone;
}

const timeWithOffset = /T.*(Z|[+-]\d\d:\d\d)$/;

function startOf(
  event: PartialEvent,
  zone: string | null,
  index: number,
  findings: ValueFinding[],
): Start | Period | null {
  const { starts } = event;
  const zoneIsKnown = isKnownZone(event, zone);
  if (zone !== null && !zoneIsKnown && event.zone !== undefined) {
    const problem = { code: 'unknown-zone', found: zone, nearest: nearestZone(zone) } as const;
    findings.push({ problem, path: ['events', index, 'zone'] });
  }
  if (starts === undefined) return null;
  const reading = readStart(starts, zoneIsKnown ? zone : 'UTC');
  if (!('code' in reading)) return reading;
  if (zoneIsKnown || !restsOnZone(reading.code)) {
    const proposal = reading.code === 'bad-starts' ? proposeStart(starts) : null;
    const details = { key: 'starts', found: starts, zone: zone ?? '', proposal };
    findings.push({ problem: { ...reading, ...details }, path: ['events', index, 'starts'] });
  }
  return null;
}

/** Reads the end of an event. Returns null if it is invalid or the start is. */
function endOf(
  event: PartialEvent,
  start: Start | Period | null,
  zone: string | null,
  index: number,
  findings: ValueFinding[],
): End | null {
  const { starts, ends } = event;
  if (start === null || starts === undefined || ends === undefined) return null;
  const path: JsonPath = ['events', index, 'ends'];
  if ('period' in start) {
    findings.push({ problem: { code: 'ends-announced', found: ends, announced: start.period }, path });
    return null;
  }
  const zoneIsKnown = isKnownZone(event, zone);
  const reading = readEnd(ends, starts, start, zoneIsKnown ? zone : 'UTC');
  if (isEnd(reading)) return reading;
  if (zoneIsKnown || !restsOnZone(reading.code)) {
    const proposal = reading.code === 'bad-ends' ? proposeStart(ends) : null;
    const details = { key: 'ends', starts, zone: zone ?? '', proposal };
    findings.push({ problem: { ...reading, ...details }, path });
  }
  return null;
}

/** Whether the zone of an event is valid. Its default is checked elsewhere. */
function isKnownZone(event: PartialEvent, zone: string | null): boolean {
  const isInvalid = event.zone === undefined && 'zone' in event;
  return !isInvalid && (zone === null || isZone(zone));
}

function restsOnZone(code: FoundProblem['code']): boolean {
  return ['offset-conflict', 'skipped-time', 'repeated-time', 'ends-before-starts'].includes(code);
}
