import type { AnnouncementRecord, ChangeRecord, EventRecord } from '../api/documents.ts';
import { next } from '../api/formats.ts';
import { listLimit, nextEvents, scopeFolder, type Filters } from '../api/paths.ts';
import { listIds, listOf } from '../api/scopes.ts';
import type { SchemaName } from '../api/schemas.ts';
import { minute } from '../catalogue/time/time.ts';
import type { UnplacedProblem } from '../problem/problem.ts';

/** A record of a document, such as an event or a genre, with the fields that are checked. */
export type Row = { readonly id: string } & Partial<EventRecord & AnnouncementRecord & ChangeRecord>;

/** A document that fits its schema, or a file with an event on each line, without its records. */
export interface Document {
  readonly path: string;
  /** The schema of the document, or of a line. */
  readonly schema: SchemaName;
  /** The order of its records, if it is not that of the schema. */
  readonly order?: Order;
  readonly length: number;
  readonly filters?: Filters | undefined;
  readonly limit?: number | undefined;
  readonly total?: number | undefined;
  readonly since?: string | null | undefined;
  /** When the host updated it, in milliseconds since the Unix epoch. Null: it is the published one. */
  readonly updatedAt: number | null;
}

type Faults = Generator<UnplacedProblem>;

const maxClockError = minute;

/** Yields what is wrong with a document by itself: with its filters, its length, its dates or its order. */
export function* documentFaults(document: Document, rows: readonly Row[]): Faults {
  const { path, schema, length, filters, limit, total = 0, since, updatedAt } = document;
  const folder = path.slice(0, path.lastIndexOf('/'));
  if (filters !== undefined && scopeFolder(filters) !== folder) {
    yield fault(`the filters ${JSON.stringify(filters)}`, `those of ${folder}`);
    return;
  }
  const cap = path.endsWith(`/${next.file}`) ? nextEvents : listLimit;
  if (limit !== undefined && limit !== cap) yield fault(`the limit ${limit}`, `${cap}`);
  if (limit !== undefined && updatedAt === null && length !== Math.min(total, limit))
    yield fault(`${length} as the number of records`, `${Math.min(total, limit)}, by total and limit`);
  for (const [index, row] of rows.entries()) {
    yield* rowFaults(row, rows[index - 1], document);
    if (schema === 'Now' && row.over_at === null) yield fault(`${row.id}, which has no end`, 'only events under way');
    const expiry = schema === 'Now' ? row.over_at : row.upcoming_until;
    if (updatedAt !== null && Date.parse(expiry ?? '') <= updatedAt - maxClockError)
      yield fault(`${row.id}, which expired at ${expiry}`, 'only events that have not expired');
    if (since && row.at && Date.parse(row.at) < Date.parse(since) - maxClockError)
      yield fault(`the change of ${row.id} at ${row.at}`, `a time from ${since} on, as since says`);
  }
}

type Order = SchemaName | 'Past';

/** The order of the records of a schema: what it is called, and a text by which they ascend. */
const orders: Partial<Record<Order, readonly [by: string, keyOf: (row: Row) => string]>> = {
  Categories: ['id', ({ id }) => id],
  Genres: ['id', ({ id }) => id],
  Subjects: ['genre, then id', ({ genre, id }) => `${genre} ${id}`],
  Events: ['starts_at, then id', ({ starts_at, id }) => `${starts_at} ${id}`],
  Cancelled: ['starts_at, then id', ({ starts_at, id }) => `${starts_at} ${id}`],
  Now: ['over_at, then id', ({ over_at, id }) => `${over_at} ${id}`],
  Announced: ['window.until, then id', ({ window, id }) => `${window?.until} ${id}`],
  Event: ['genre, starts_at, then id', ({ genre, starts_at, id }) => `${genre} ${starts_at} ${id}`],
  Past: [
    'over_at, newest first',
    ({ over_at, upcoming_until, id }) => `${untilLatest(over_at ?? upcoming_until)} ${id}`,
  ],
};

/** Returns a text that ascends as instants descend. */
function untilLatest(instant: string | undefined): string {
  return String(8.64e15 - Date.parse(instant ?? '')).padStart(16, '0');
}

/** Yields what is wrong with a record: with its dates, its place after `previous`, or its genre and category. */
export function* rowFaults(
  row: Row,
  previous: Row | undefined,
  { schema, order = schema, filters = {} }: Pick<Document, 'schema' | 'order' | 'filters'>,
): Faults {
  const { id, genre, category, date, starts_at: start, ends_at: end, window } = row;
  if (genre !== (filters.genre ?? genre) || category !== (filters.category ?? category))
    yield fault(`${id} of the genre ${genre} and the category ${category}`, `those of ${scopeFolder(filters)}`);
  if (!isInList(row, filters)) yield fault(id, `the events of ${scopeFolder(filters)}`);
  if (isBefore(end, start) || isBefore(row.end_date, date) || isBefore(window?.until, window?.from))
    yield fault(`${id}, which ends before it starts`);
  if (row.time_known === false && start !== `${date}T00:00:00.000Z`)
    yield fault(`${id}, which has a time of day although its time_known is false`);
  if (previous === undefined) return;
  const [by, keyOf] = orders[order] ?? [];
  if (keyOf !== undefined && keyOf(row) <= keyOf(previous))
    yield fault(`${id} after ${previous.id}`, `the order of ${by}`);
  if (isBefore(previous.at, row.at)) yield fault(`${id} after ${previous.id}`, 'the order of at, newest first');
}

/** Whether an event belongs to a month, country or tag. Which events a collection has, only its catalogue knows. */
function isInList({ date, location = null, tags = [] }: Row, filters: Filters): boolean {
  const { kind, id } = listOf(filters) ?? { kind: 'collection', id: '' };
  return kind === 'collection' || date === undefined || listIds[kind]({ date, location, tags }).includes(id);
}

function isBefore(one: string | null | undefined, other: string | null | undefined): boolean {
  return one != null && other != null && one < other;
}

function fault(found: string, expected: string | null = null): UnplacedProblem {
  return { code: 'site-inconsistent', found, expected };
}
