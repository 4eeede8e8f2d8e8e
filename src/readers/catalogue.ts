import type { EventRecord } from '../api/documents.ts';
import { countEach, groupBy } from '../catalogue/group.ts';
import { subjectPage } from '../api/paths.ts';
import { writableId } from './schema/event-ids.ts';
import { maxProblemsPerFile, type Spot, type TextFinding } from './schema/finding.ts';
import { parseJson } from './schema/json-parse.ts';
import { eventSchema } from './schema/source-schemas.ts';
import type { EventSource, PartialEvent } from './schema/source-types.ts';
import type { Draft, Policy, SourceFile, TextDrafts } from './schema/reading.ts';
import { isFileId, textRules } from './schema/rules.ts';

/** An event of another catalogue. Versions before this one did not publish some fields. */
type Published = Omit<EventRecord, 'details'> &
  Partial<Pick<EventRecord, 'details'>> & { readonly period?: string };

interface TakenEvent {
  readonly record: Published;
  readonly event: PartialEvent;
  readonly offset: number;
}

/**
 * Reads the events.ndjson of another catalogue, of a genre, a category or all of it: each line is
 * an event as almanac publishes it. Their subjects and the last parts of their ids stay the same. A
 * line that is none is left out with a warning.
 */
export function readCatalogue(text: string, file: SourceFile): TextDrafts {
  const records: TakenEvent[] = [];
  const invalid: TextFinding[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    const record = line.trim() === '' ? null : recordOf(line);
    if (record === undefined)
      invalid.push({
        problem: { code: 'bad-event-line' },
        offset,
      });
    else if (record !== null)
      records.push({
        record,
        event: toEvent(record, file),
        offset,
      });
    offset += line.length + 1;
    if (invalid.length > maxProblemsPerFile) break;
  }
  const isEmpty = records.length === 0;
  return {
    drafts: toDrafts(records),
    findings: isEmpty ? invalid : [],
    warnings: isEmpty ? [] : invalid,
    doubts: [],
    report: (results) => {
      const leftOut = results.flatMap((result) => result.leftOut);
      const warnings = leftOut.map(({ finding }): TextFinding => ({
        problem: { code: 'bad-event-line' },
        offset: finding.offset,
      }));
      return { findings: [], warnings };
    },
  };
}

function recordOf(line: string): Published | undefined {
  const record = parseJson(line) as Published | null | undefined;
  if (typeof record !== 'object' || record === null || typeof record.id !== 'string')
    return undefined;
  const [genre = '', subject = '', id = '', ...rest] = record.id.split('/');
  const isNamed = [genre, subject].every(isFileId) && id !== '' && rest.length === 0;
  if (
    !isNamed ||
    typeof record.subject?.name !== 'string' ||
    textRules.name(record.subject.name) !== null
  )
    return undefined;
  try {
    return eventSchema.safeParse(toEvent(record, {})).success ? record : undefined;
  } catch {
    // A value is missing or has another type.
    return undefined;
  }
}

/**
 * Returns a published event as a source file has it: all of its fields that a source may give. Its
 * details name the page that it is from.
 */
function toEvent(record: Published, { address = null }: Pick<SourceFile, 'address'>): EventSource {
  const { id, zone, details } = record;
  const published = Object.entries({ ...record, ...details }).filter(([key]) =>
    Object.hasOwn(eventSchema.shape, key),
  );
  const inputs = Object.fromEntries(published.map(([key, value]) => [key, withoutNulls(value)]));
  const event = {
    ...inputs,
    id: writableId(id.split('/')[2] ?? ''),
    ...writeTimes(record),
  };
  // A zone of null is not that of the genre.
  return {
    ...withoutNulls({
      ...event,
      source: details?.source ?? pageOf(record, address),
    }),
    zone,
  } as EventSource;
}

function writeTimes({ period, precision, date, end_date, starts_at, ends_at }: Published): {
  starts: string;
  ends: string | null;
} {
  if (period !== undefined) return { starts: period, ends: null };
  if (precision === 'day') return { starts: date, ends: end_date };
  const instant = (moment: string, digits: number) => `${moment.slice(0, digits)}Z`;
  // An end must be as precise as its start.
  const isWhole = precision !== 'second' && ends_at?.slice(17, 19) === '00';
  const ends = ends_at === null ? null : instant(ends_at, isWhole ? 16 : 19);
  return {
    starts: instant(starts_at, { hour: 13, minute: 16, second: 19 }[precision]),
    ends,
  };
}

function withoutNulls<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null)) as Value;
}

function pageOf({ id }: Published, address: string | null): string | null {
  const base = address?.startsWith('https://') === true ? address.indexOf('/api/v1/') : -1;
  const [genre = '', subject = ''] = id.split('/');
  return address === null || base === -1
    ? null
    : `${address.slice(0, base)}/${subjectPage(genre, subject)}`;
}

/** An event that is not valid is left out. */
const policy: Policy = { parts: [], rest: 'leave out' };

/** If two genres have a subject with the same id, both get the id of their genre as well. */
function toDrafts(records: readonly TakenEvent[]): Draft[] {
  const byKey = groupBy(records, ({ record }) => record.id.slice(0, record.id.lastIndexOf('/')));
  const times = countEach(Array.from(byKey.keys(), (key) => key.split('/')[1]));
  return Array.from(byKey, ([key, events]): Draft => {
    const [genre = '', subject = ''] = key.split('/');
    const name = events[0]?.record.subject.name ?? '';
    const spotOf = (index: number): Spot => ({ offset: events[index]?.offset ?? 0 });
    return {
      id: times.get(subject) === 1 ? subject : writableId(`${subject}-${genre}`),
      source: { name, events: events.map(({ event }) => event) },
      spot: spotOf(0),
      spotOf,
      policy,
    };
  });
}
