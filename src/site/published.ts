import type { z } from 'zod';
import type {
  AnnouncementRecord,
  ChangeRecord,
  ChangesDocument,
  EventRecord,
  IndexDocument,
} from '../api/documents.ts';
import {
  changesDocumentSchema,
  entrySchema,
  eventSchema,
  indexDocumentSchema,
} from '../api/schemas.ts';
import {
  addUpCounts,
  changeKinds,
  type ChangeCounts,
  type ChangeKind,
} from '../api/change-kinds.ts';
import type { State } from '../catalogue/state.ts';
import { findTextProblem, parseJson, withoutLineBreaks } from '../catalogue/text.ts';
import { isZone } from '../catalogue/time/zone.ts';
import { isHttpsUrl } from '../catalogue/url.ts';

/*
 * Checks of documents that another program may have built. A new site publishes it again, so its
 * texts and addresses keep the rules of the sources.
 */

/** The published form of an event: its record, or its announcement if it has no date yet. */
export type PublishedEvent = EventRecord | AnnouncementRecord;

/** Whether an event has a date. */
export function isDated(published: PublishedEvent): published is EventRecord {
  return 'starts_at' in published;
}

/**
 * Whether a value fits a schema in the fields that both have. An almanac of another version
 * publishes other fields, so only what cannot be understood without a field is required.
 */
function fits(schema: z.ZodType, value: unknown, required: readonly string[] = []): boolean {
  const issues = schema.safeParse(value).error?.issues ?? [];
  const isOtherVersion = (issue: z.core.$ZodIssue) => isVersionDifference(issue, value);
  const has = (field: string) => Object.hasOwn(value as object, field);
  return issues.every(isOtherVersion) && required.every(has);
}

/** Whether an issue is a field that only one version of almanac has. */
export function isVersionDifference({ code, path }: z.core.$ZodIssue, document: unknown): boolean {
  if (code === 'unrecognized_keys') return true;
  let value = document;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null)?.[key];
  return path.length > 0 && value === undefined;
}

type Entry = PublishedEvent & { readonly state: State };

const shared = ['id', 'title', 'subject', 'genre', 'category', 'state'] as const;

/**
 * Parses a line of events.ndjson. Returns its record without the state, or null if it is not the
 * line of this id.
 */
export function readEntry(line: string, id: string): PublishedEvent | null {
  const entry = parseJson(line) as Entry | null | undefined;
  if (typeof entry !== 'object' || entry === null || entry.id !== id) return null;
  const { state, ...record } = entry;
  const times = state === 'announced' ? ['period', 'window'] : ['starts_at', 'upcoming_until'];
  const required = [...shared, ...times];
  if (!fits(entrySchema, entry, required)) return null;
  if (isPublishable(entry) && isIdentified(entry)) return record;
  return null;
}

const eventFields = Object.keys(eventSchema.shape) as readonly (keyof EventRecord)[];
const defaults: Partial<EventRecord> = { status: 'confirmed', tags: [] };

/**
 * Returns a record with exactly the fields of this version, in their order, or null if it is not
 * valid.
 */
export function wholeRecord(record: EventRecord): EventRecord | null {
  const values: Partial<EventRecord> = { ...defaults, ...record };
  const fields = eventFields.map((field) => [field, values[field] ?? null]);
  return eventSchema.safeParse(Object.fromEntries(fields)).data ?? null;
}

/** Returns the index document in a text, or null if it is none. */
export function readIndex(text: string): IndexDocument | null {
  const index = parseJson(text);
  const required = ['name', 'documentation', 'catalogue'];
  if (fits(indexDocumentSchema, index, required)) return index as IndexDocument;
  return null;
}

/** Returns the log of changes in a text, or null if any part of it is not valid. */
export function readChanges(text: string): ChangesDocument | null {
  const log = parseJson(text) as ChangesDocument | null | undefined;
  if (!fits(changesDocumentSchema, log, ['changes']) || !isPublishable(log)) return null;
  if (log?.changes.every(isIdentified) === true) return log;
  return null;
}

/** Returns the `counts` that `almanac build --changes` added to a log, or null if there are none. */
export function readCounts(text: string): ChangeCounts | null {
  const log = parseJson(text) as { readonly counts?: ChangeCounts | null } | null;
  const counts = log?.counts;
  if (typeof counts !== 'object' || counts === null) return null;
  const isCount = (kind: ChangeKind) => Number.isInteger(counts[kind] ?? 0);
  if (changeKinds.every(isCount)) return addUpCounts([counts]);
  return null;
}

/** Whether the ids agree, so that an address made of them stays inside its genre. */
function isIdentified({ id, genre, subject }: PublishedEvent | ChangeRecord): boolean {
  const isInSubject = id.startsWith(`${genre}/${subject.id}/`);
  return isInSubject && eventSchema.shape.id.safeParse(id).success;
}

/** Whether texts, addresses and times keep the rules of the sources. */
function isPublishable(value: unknown, name = '', depth = 0): boolean {
  if (depth > 8) return false;
  if (Array.isArray(value)) return value.every((item) => isPublishable(item, name, depth + 1));
  if (typeof value === 'object' && value !== null) {
    // Feeds list the names of fields that changed. Those of a catalogue's own fields mean nothing
    // here.
    const nameOf = (key: string) => (name === 'extra' ? name : key);
    const isField = ([key, field]: [string, unknown]) => {
      const isKey = /^[a-z][a-z0-9_]{0,63}$/.test(key);
      return isKey && isPublishable(field, nameOf(key), depth + 1);
    };
    return Object.entries(value).every(isField);
  }
  if (typeof value !== 'string') return true;
  if (/(?:^|_)url$|^source$/.test(name)) return isHttpsUrl(value);
  if (name === 'zone') return isZone(value);
  if (/(?:^|_)(?:at|upcoming_until)$/.test(name)) return isTime(value);
  if (/(?:^|_)date$/.test(name)) return isTime(`${value}T00:00:00.000Z`);
  const text = name === 'description' ? withoutLineBreaks(value) : value;
  return findTextProblem(text, 2000) === null;
}

/** Whether a value is an instant of the interface: ISO 8601 UTC with milliseconds. */
export function isTime(value: string): boolean {
  const isInForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value);
  return isInForm && !Number.isNaN(Date.parse(value));
}
