import type { Event, EventDetails, Genre, Subject } from '../catalogue/model.ts';
import { isStart, readStart, type Start, type StartFault } from '../catalogue/time/start.ts';
import { memoize } from '../catalogue/time/memoize.ts';
import { isZone, nearestZone } from '../catalogue/time/zone.ts';
import { maxProblemsPerFile, type ValueFinding, type JsonPath, type FoundProblem } from './finding.ts';
import { maxIdCharacters } from '../catalogue/id.ts';
import { proposeStart } from './propose-start.ts';
import { slug } from './slug.ts';
import type { EventSource, SubjectSource } from './json/validate.ts';

/** The events of a subject, with dates read in their zones and ids checked within the subject. */
export interface SubjectReading {
  readonly subject: Subject;
  /** Dated events that are upcoming and not cancelled. */
  readonly upcoming: readonly Event[];
  /** Dated events that would be upcoming if they were not cancelled. */
  readonly cancelled: readonly Event[];
  /** The number of announced events, which have no date yet. */
  readonly announced: number;
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

/** The fields of a source that need no reading. The compiler holds them to those that the catalogue has. */
type Details = Pick<PartialEvent, keyof EventDetails> &
  Pick<EventDetails, Exclude<keyof EventSource, 'id' | 'title' | 'starts' | 'zone' | 'cancelled'>>;

/**
 * Reads the events of a subject and keeps those that are upcoming at `now` (milliseconds since the Unix epoch).
 * Also accepts the valid parts of an invalid file, to find its other problems.
 */
export function readSubject(source: PartialSubject, id: string, genre: Genre, now: number): SubjectReading {
  const subject: Subject = { id, name: source.name ?? '', url: source.url ?? null };
  // Joined because V8 would concatenate the parts again for every id.
  const prefix = [genre.id, id, ''].join('/');
  const upcoming: Event[] = [];
  const cancelled: Event[] = [];
  const findings: ValueFinding[] = [];
  const ids = new Map<string, number>();
  const doubts: ValueFinding[] = [];
  const horizon = fiveYearsAfter(now);
  let announced = 0;
  let past = 0;
  (source.events ?? []).forEach((event, index) => {
    if (findings.length > maxProblemsPerFile) return;
    const eventId = event.id ?? (event.title === undefined ? null : slug(event.title));
    if (eventId !== null) checkId(eventId, event, index, ids, findings);
    const start = startOf(event, genre, index, findings);
    if (start === 'undated') announced++;
    else if (start !== null && start.upcomingUntil <= now) past++;
    else if (start !== null) {
      if (start.startsAt > horizon) doubts.push(farAhead(event, index));
      (event.cancelled === true ? cancelled : upcoming).push({
        // Written out: a spread here took a fifth of the time of a whole build.
        precision: start.precision,
        date: start.date,
        startsAt: start.startsAt,
        upcomingUntil: start.upcomingUntil,
        id: prefix + (eventId ?? ''),
        title: event.title ?? '',
        subject,
        genre,
        zone: zoneOf(event, genre),
        details: event satisfies Details,
      });
    }
  });
  return {
    subject,
    upcoming,
    cancelled,
    announced,
    findings: findings.length === 0 ? findings : propose(findings, source, ids),
    past,
    doubts,
  };
}

function farAhead({ starts = '' }: PartialEvent, index: number): ValueFinding {
  return { problem: { code: 'far-ahead', found: starts, others: 0 }, path: ['events', index, 'starts'] };
}

/** Events that start later than this are probably in a year with a typo. */
const fiveYearsAfter = memoize((now: number): number =>
  new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + 5),
);

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
function zoneOf({ zone, starts }: PartialEvent, genre: Genre): string | null {
  if (zone !== undefined) return zone;
  return starts !== undefined && timeWithOffset.test(starts) ? null : (genre.zone ?? null);
}

const timeWithOffset = /T.*(Z|[+-]\d\d:\d\d)$/;

function startOf(event: PartialEvent, genre: Genre, index: number, findings: ValueFinding[]): Start | 'undated' | null {
  const { starts } = event;
  const zone = zoneOf(event, genre);
  const isInvalid = event.zone === undefined && 'zone' in event;
  const zoneIsKnown = !isInvalid && (zone === null || isZone(zone));
  if (zone !== null && !zoneIsKnown && !isInvalid) {
    const problem = { code: 'unknown-zone', found: zone, nearest: nearestZone(zone) } as const;
    findings.push({ problem, path: ['events', index, 'zone'] });
  }
  if (starts === undefined) return null;
  const reading = readStart(starts, zoneIsKnown ? zone : 'UTC');
  if (reading === 'undated' || isStart(reading)) return reading;
  if (zoneIsKnown || !restsOnZone(reading)) {
    const proposal = reading.code === 'bad-starts' ? proposeStart(starts) : null;
    const details = { found: starts, zone: zone ?? '', proposal };
    const problem = { ...reading, ...details } as FoundProblem;
    findings.push({ problem, path: ['events', index, 'starts'] });
  }
  return null;
}

function restsOnZone(fault: StartFault): boolean {
  return fault.code === 'offset-conflict' || fault.code === 'skipped-time' || fault.code === 'repeated-time';
}
