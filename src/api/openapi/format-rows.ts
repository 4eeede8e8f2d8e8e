import { type Format, type FormatName, formatPath, formats } from '../formats.ts';
import type { SchemaName } from '../schemas.ts';
import { filterNames, type Ids, type ScopeKind, scopeKinds, scopesOfKind } from '../scopes.ts';
import type { Refusal } from './responses.ts';
import type { Tag } from './text.ts';

/** A path of the interface and its response. */
export interface Row {
  readonly path: string;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly string[];
  /** Default: JSON. */
  readonly mediaType?: string;
  /** The schema of the response. Null if there is none. */
  readonly schema: SchemaName | null;
  /** The error responses of a path that takes a query. Default: only 404. */
  readonly refusals?: readonly Refusal[];
  /** The format without which a site does not have the file. Default: every site has it. */
  readonly format?: FormatName;
  /**
   * Whether it is one of the files of subjects, which exist with `"pages": "all"` in service.json.
   */
  readonly isOfSubject?: boolean;
}

/**
 * What the OpenAPI document says about a format. `of` is the scope: nothing for everything, else `
 * of one genre`.
 */
interface Description {
  readonly tag: Row['tag'];
  /** Null if its documents are not JSON. */
  readonly schema: Row['schema'];
  /** Returns the id of an operation. `Of` is nothing for everything, else such as `OfGenre`. */
  readonly id: (Of: string) => string;
  readonly summary: (of: string) => string;
  readonly description: string;
}

export const asFile = 'The same document as a file, for hosts that run no code.';
export const asFileToo = `${asFile} On hosts that run code,
    the parameters apply to it too.`;

const descriptions: Readonly<Record<FormatName, Description>> = {
  json: {
    schema: 'Events',
    tag: 'Events',
    id: (Of) => `events${Of}File`,
    summary: (of) => `Upcoming events${of}, as a file`,
    description: asFile,
  },
  next: {
    schema: 'Next',
    tag: 'Events',
    id: (Of) => `nextEvents${Of}`,
    summary: (of) => `The ten soonest events${of}`,
    description: `The first events of the list next to it and,
      in \`now\`, at most five events under way:
      for devices, and for hosts that ignore \`limit\`.`,
  },
  now: {
    schema: 'Now',
    tag: 'Events',
    id: (Of) => `eventsUnderWay${Of}`,
    summary: (of) => `Events under way${of}`,
    description: `Events that have begun and are not over,
      ordered by \`over_at\`.
      A host that runs code answers
      with the list at the time of the request;
      elsewhere the client must update it.`,
  },
  announced: {
    schema: 'Announced',
    tag: 'Events',
    id: (Of) => `announced${Of}`,
    summary: (of) => `Announced events${of}`,
    description: `Events known only to a month,
      quarter, half or year.
      They have no date yet;
      once dated they become events with the same id.`,
  },
  ics: {
    schema: null,
    tag: 'Calendars',
    id: (Of) => `calendar${Of}`,
    summary: (of) => `A calendar${of || ' of everything'}`,
    description: `Upcoming events for calendar programs
      (iCalendar, RFC 5545), including events under way,
      those of the last months, and cancelled events,
      which are marked as cancelled.
      An event without a known time is an all-day event.
      It has the 1,000 soonest
      upcoming events of its scope.
      If there are more, \`X-WR-CALDESC\` says up
      to which date it reaches.`,
  },
  ndjson: {
    schema: null,
    tag: 'Bulk',
    id: (Of) => `allEvents${Of}`,
    summary: (of) => `Every event${of}, one per line`,
    description: `Every event in every state, without the limit
      of lists: one record per line,
      with the same fields as in lists and \`state\`
      as the last one: \`upcoming\`, \`under_way\`,
      \`announced\`, \`cancelled\` or \`over\`.
      Grouped by genre id, within a genre in the order
      of these states, and then as lists are.
      An announcement has the fields of announcements.
      Of the events of a genre that are over,
      it has at most 1,000 from the last 180 days
      (or as many as the service keeps),
      most recently ended first.`,
  },
  csv: {
    schema: null,
    tag: 'Bulk',
    id: (Of) => `table${Of}`,
    summary: (of) => `Every event${of} as a table`,
    description: `Every event that is upcoming or under way,
      as a table for spreadsheets
      (RFC 4180, UTF-8 with a byte order mark).
      Values that are null in JSON are empty,
      and so are \`starts_at\` and \`ends_at\`
      if the time is not known.
      Spaces separate the \`tags\`.
      \`starts_local\` is the date,
      or the date and time where it happens,
      in a form that spreadsheets understand.
      A text that a spreadsheet would run
      as a formula begins with an apostrophe.`,
  },
  geojson: {
    schema: null,
    tag: 'Bulk',
    id: (Of) => `map${Of}`,
    summary: (of) => `Every event${of} with coordinates, for maps`,
    description: `Every event that is upcoming or under way and has
      coordinates, as points (GeoJSON, RFC 7946),
      ordered like lists and without their limit.
      \`id\` and the properties have
      the same values as in lists;
      \`subject\` and \`location\` are names,
      and \`country\` is that of the location.`,
  },
  subjects: {
    schema: 'Subjects',
    tag: 'Subjects',
    id: (Of) => (Of === '' ? 'listSubjects' : `subjects${Of}`),
    summary: (of) => `Every subject${of}`,
    description: `Every subject with its upcoming count and its
      soonest event, ordered by genre, then by id.`,
  },
  feed: {
    schema: null,
    tag: 'Changes',
    id: (Of) => `feed${Of}`,
    summary: (of) => `What changed${of}, as a feed`,
    description: 'The newest 50 changes as a feed (Atom, RFC 4287).',
  },
};

/** The parameters of the events operation, which hosts that run code also apply to its file. */
export const eventsQuery = {
  parameters: ['genreFilter', 'categoryFilter', 'limit'],
  refusals: ['InvalidEventsQuery', 'UnknownFilter'],
} as const satisfies Partial<Row>;

/** What the rows of the events operation say besides. */
const eventsRows: Readonly<Partial<Record<ScopeKind, Partial<Row>>>> = {
  everything: {
    ...eventsQuery,
    description: asFileToo,
  },
  month: {
    description: `The upcoming events whose \`date\` is in a month.
      There is one for every month that has some.`,
  },
  country: {
    description: `The upcoming events whose \`location.country\`
      it is, with its code in lower case.
      There is one for every country that has some.`,
  },
  tag: {
    description: `The upcoming events that carry a tag.
      There is one for every tag that has some.`,
  },
  collection: {
    description: `The upcoming events of everything
      that a collection of the catalogue names.`,
  },
  pair: {
    description: `${asFile} There is one for every pair;
      if the genre is in another category,
      the list is empty.`,
  },
};

/** Returns how the id of an operation names its scope: `OfGenre`. */
function suffixOf(kind: ScopeKind): string {
  const name = kind === 'pair' ? 'both' : kind;
  if (kind === 'everything') return '';
  return `Of${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** What stands for an id in the path of a row: `{category}`. */
const placeholders = Object.fromEntries(filterNames.map((name) => [name, [`{${name}}`]])) as Ids;

/** The files of every format, one row for each kind of scope. */
export const formatRows: Row[] = [];
for (const name of Object.keys(formats) as FormatName[]) {
  const format: Format = formats[name];
  const { tag, schema, description, id, summary } = descriptions[name];
  for (const kind of format.scopes) {
    const { filters } = scopeKinds[kind];
    const [placeholder = {}] = scopesOfKind(kind, placeholders);
    formatRows.push({
      path: formatPath(format, placeholder),
      id: id(suffixOf(kind)),
      tag,
      format: name,
      mediaType: format.mediaType,
      schema,
      summary: summary(kind === 'everything' ? '' : ` of one ${filters.join(' and ')}`),
      description,
      parameters: filters.map((filter) => `${filter}InPath`),
      ...(name === 'json' && eventsRows[kind]),
    });
  }
}
