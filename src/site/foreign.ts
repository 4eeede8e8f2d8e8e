import { event as isValidEvent } from '#record-validators';
import type { AnnouncementRecord, ChangeRecord, EventRecord } from '../api/documents.ts';
import { jsonSchemas } from '../api/openapi/json-schemas.ts';
import { idPattern, idSource } from '../catalogue/id.ts';
import { findTextProblem, withoutLineBreaks } from '../catalogue/text.ts';
import { isZone } from '../catalogue/time/zone.ts';
import { isHttpsUrl } from '../catalogue/url.ts';

/*
 * Checks of what a previous site says about events. It is foreign input that a new site publishes again, so its texts
 * and addresses keep the rules of the sources. It may have fields that this version does not know.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is the record of an event. */
export function isEventRecord(value: unknown): value is EventRecord {
  return isFields(value) && isIdentified(value) && isTime(value['starts_at']) && isTime(value['upcoming_until']);
}

/** Returns a record with exactly the fields of this version, in their order, or null if it is not valid. */
export function wholeRecord(record: EventRecord): EventRecord | null {
  const fields: Fields = { ...defaults, ...record };
  const whole: Fields = Object.fromEntries(eventKeys.map((key) => [key, fields[key] ?? null]));
  return isValidEvent(whole) ? (whole as unknown as EventRecord) : null;
}

const eventKeys = Object.keys((jsonSchemas.Event as { readonly properties: object }).properties);
const defaults: Partial<EventRecord> = { status: 'confirmed', tags: [] };

/** Whether a value is the record of an announcement. */
export function isAnnouncement(value: unknown): value is AnnouncementRecord {
  if (!isFields(value) || !isIdentified(value) || 'starts_at' in value || typeof value['period'] !== 'string')
    return false;
  const { window, zone = null } = value;
  const isDated = isFields(window) && isDate(window['from']) && isDate(window['until']);
  return isDated && (zone === null || typeof zone === 'string');
}

/** Returns an entry of a change log without unknown keys, or null if the value is none. */
export function readChange(value: unknown): ChangeRecord | null {
  if (!isFields(value) || !isIdentified(value) || !isTime(value['at']) || !kinds.has(value['kind'])) return null;
  const { at, kind, id, title, subject, genre, category, before, after, collections } =
    value as unknown as ChangeRecord;
  const hasFields = [before, after].every((fields) => fields === null || isFields(fields));
  const { id: subjectId, name } = subject;
  const ofLists = Array.isArray(collections) && collections.every((one) => idPattern.test(one));
  if (!hasFields || !(collections === undefined || ofLists)) return null;
  const published = { at, kind, id, title, subject: { id: subjectId, name }, genre, category, before, after };
  return { ...published, ...(collections && { collections }) };
}

type Kind = ChangeRecord['kind'];
const kinds: ReadonlySet<unknown> = new Set<Kind>(['cancelled', 'removed', 'added', 'dated', 'moved', 'changed']);

/** Whether ids are well-formed and agree, so that an address made of them stays inside its genre. */
function isIdentified({ id, title, subject, genre, category }: Fields): boolean {
  if (!isFields(subject) || typeof title !== 'string' || typeof subject['name'] !== 'string') return false;
  if (typeof id !== 'string' || typeof genre !== 'string' || typeof category !== 'string') return false;
  const isOfSubject = typeof subject['id'] === 'string' && id.startsWith(`${genre}/${subject['id']}/`);
  return isOfSubject && eventId.test(id) && id.length <= maxIdLength && idPattern.test(category);
}

const eventId = new RegExp(`^${idSource}(/${idSource}){2}$`);
/** A genre of two ids and a hyphen, and two more ids. */
const maxIdLength = 4 * 64 + 3;

/** Whether a value is an object whose fields keep the rules. Lists and objects in it do too, to a small depth. */
function isFields(value: unknown, depth = 0): value is Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && depth < 4 && Object.entries(value).every(([name, field]) => keepsRules(name, field, depth + 1));
}

function keepsRules(name: string, value: unknown, depth: number): boolean {
  if (!fieldName.test(name)) return false;
  if (Array.isArray(value)) return value.length <= 100 && value.every((item) => keepsRules(name, item, depth));
  if (typeof value === 'object' && value !== null) return isFields(value, depth);
  if (typeof value !== 'string') return true;
  if (/(?:^|_)url$|^source$/.test(name)) return isHttpsUrl(value);
  if (name === 'zone') return isZone(value);
  if (/(?:^|_)(?:at|upcoming_until)$/.test(name)) return isTime(value);
  if (/(?:^|_)date$/.test(name)) return isDate(value);
  return findTextProblem(name === 'description' ? withoutLineBreaks(value) : value, maxTextCharacters) === null;
}

const maxTextCharacters = 2000;
/** Feeds list the names of fields that changed. */
const fieldName = /^[a-z][a-z0-9_]{0,63}$/;

/** Whether a value is an instant of the interface: ISO 8601 UTC with milliseconds. */
export function isTime(value: unknown): value is string {
  return typeof value === 'string' && instant.test(value) && !Number.isNaN(Date.parse(value));
}

function isDate(value: unknown): boolean {
  return isTime(`${String(value)}T00:00:00.000Z`);
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
