import * as z from 'zod';
import { idPattern, idSource } from '../catalogue/id.ts';
import { states } from '../catalogue/state.ts';
import { changeKinds } from './change-kinds.ts';
import { interfaceVersion, listLimit, nextEvents, nextUnderWay } from './paths.ts';

const slug = z.string().regex(idPattern);
// The patterns are for readers of the JSON Schema; the checks themselves are stricter.
const instant = z.iso
  .datetime({ precision: 3 })
  .meta({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' });
const date = z.iso.date().meta({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const count = z.int().nonnegative();
// Programs in many languages read the published patterns, and most of them do not support `\p{Cc}`.
// eslint-disable-next-line no-control-regex -- a URL may not contain control characters
const httpsUrl = z.string().regex(/^https:\/\/[^\s\u0000-\u001f\u007f-\u009f]+$/);
const text = z.string().min(1);

const locationSchema = z
  .strictObject({
    name: text.describe('Name of the place.'),
    address: text.nullable().describe('Its address.'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullable()
      .describe('Its country, ISO 3166-1 alpha-2.'),
    latitude: z.number().min(-90).max(90).nullable().describe('Degrees north.'),
    longitude: z.number().min(-180).max(180).nullable().describe('Degrees east.'),
  })
  .nullable()
  .describe('Where it takes place. Null if the source does not say.');

const detailsSchema = z
  .strictObject({
    description: text
      .nullable()
      .describe('Plain text of at most 2,000 characters, with line feeds.'),
    image: z
      .strictObject({
        url: httpsUrl.describe('Address of the picture.'),
        alt: text.nullable().describe('A text that says what it shows.'),
      })
      .nullable()
      .describe('A picture on another host.'),
    attendance: z
      .enum(['in-person', 'online', 'hybrid'])
      .nullable()
      .describe('How people attend it.'),
    organizer: z
      .strictObject({
        name: text.describe('Name of the organizer.'),
        url: httpsUrl.nullable().describe('Page about the organizer.'),
      })
      .nullable()
      .describe('Who organizes it.'),
    source: httpsUrl.nullable().describe('The page from which the facts were taken.'),
  })
  .nullable()
  .describe('Facts about it, each null if the source does not say. Null if the source gives none.');

const extraValue = z.union([z.string().max(500), z.number(), z.boolean()]);

const extraSchema = z
  .record(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/), z.union([extraValue, z.array(extraValue)]))
  .nullable()
  .describe(
    'The fields that only this catalogue has, as its sources write them. Null if there are none.',
  );

export const eventSchema = z
  .strictObject({
    id: z
      .string()
      .regex(new RegExp(`^${idSource}(/${idSource}){2}$`))
      .describe('`{genre}/{subject}/{event}`: unique, and stable from build to build.'),
    title: text.describe('What happens.'),
    subject: z
      .strictObject({
        id: slug.describe('Identifier of the subject.'),
        name: text.describe('Name of the subject.'),
      })
      .describe('What it is about: a show, a team, a comet.'),
    genre: slug.describe('The id that the `genre` filter accepts.'),
    category: slug.describe('The id that the `category` filter accepts.'),
    starts_at: instant.describe(
      'Start in UTC. With `time_known` false: midnight UTC of `date`, and only the date is real.',
    ),
    ends_at: instant
      .nullable()
      .describe(
        'End in UTC. With `time_known` false: midnight UTC of `end_date`, and only the date is real. Null if the source gives no end.',
      ),
    date: date.describe(
      'The calendar date at the place of the event: what to show when the time is not known.',
    ),
    end_date: date
      .nullable()
      .describe('The last calendar date on which it happens. Null if the source gives no end.'),
    zone: z
      .string()
      .nullable()
      .describe('IANA time zone of the place. Null if the source gives none.'),
    starts_local: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/)
      .nullable()
      .describe(
        'The date and clock time of the start at the place of the event, such as `2027-01-15T21:00`. Null if the time or the zone is not known.',
      ),
    time_known: z
      .boolean()
      .describe('False: the date is real, the clock time is not. True: the clock time is real.'),
    precision: z
      .enum(['day', 'hour', 'minute', 'second'])
      .describe('The finest unit that is real; `day` if and only if `time_known` is false.'),
    location: locationSchema,
    url: httpsUrl
      .nullable()
      .describe('Page about the event or, if it has none, about its subject.'),
    upcoming_until: instant.describe(
      'The instant at which the event stops being upcoming: `starts_at` if the time is known, otherwise the end of `date`.',
    ),
    over_at: instant
      .nullable()
      .describe(
        'The instant at which the event is over: `ends_at` if the time is known, otherwise the end of `end_date`. Null if the source gives no end.',
      ),
    status: z
      .enum(['confirmed', 'tentative', 'postponed', 'cancelled'])
      .describe('Whether it takes place. Lists of upcoming events have no cancelled ones.'),
    tags: z
      .array(slug)
      .describe('Tags, sorted: those of the event, of its subject and of its genre.'),
    details: detailsSchema,
    extra: extraSchema,
    updated_at: instant
      .nullable()
      .describe(
        'The time of the build that first published the event as it is now. Null if it has not changed since the log of changes began.',
      ),
  })
  .describe('An upcoming event.');

export const categorySchema = z
  .strictObject({
    id: slug.describe('The id that the `category` filter accepts.'),
    name: text.describe('Name of the category.'),
    genres: count.describe('Number of its genres.'),
    upcoming: count.describe('Number of its upcoming events.'),
  })
  .describe('A category, with its genre count and upcoming count.');

export const genreSchema = z
  .strictObject({
    id: slug.describe('The id that the `genre` filter accepts.'),
    name: text.describe('Name of the genre.'),
    category: slug.describe('The category it belongs to.'),
    subjects: count.describe('Number of its subjects.'),
    upcoming: count.describe('Number of its upcoming events.'),
  })
  .describe('A genre, with its subject count and upcoming count.');

export const categoriesDocumentSchema = z
  .strictObject({
    categories: z.array(categorySchema).describe('Every category, ordered by `id`.'),
  })
  .describe('Every category.');

export const genresDocumentSchema = z
  .strictObject({
    filters: z
      .strictObject({
        category: slug
          .nullable()
          .describe('The category that the list is filtered by; null if none.'),
      })
      .describe('The filters that were applied to the list.'),
    genres: z.array(genreSchema).describe('The genres, ordered by `id`.'),
  })
  .describe('Genres: all, or those of one category.');

const eventFilters = z
  .strictObject({
    genre: slug.nullable().describe('The genre that the list is filtered by; null if none.'),
    category: slug.nullable().describe('The category that the list is filtered by; null if none.'),
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .optional()
      .describe('The month of the list, if it is that of a month.'),
    country: z
      .string()
      .regex(/^[a-z]{2}$/)
      .optional()
      .describe('The country of the list in lower case, if it is that of a country.'),
    tag: slug.optional().describe('The tag of the list, if it is that of a tag.'),
    collection: slug
      .optional()
      .describe('The collection of the list, if it is that of a collection.'),
  })
  .describe('The filters that were applied to the list.');

/** What every list of events says about itself. */
const listFields = {
  filters: eventFilters,
  limit: z.int().min(1).max(listLimit).describe('The limit that was applied.'),
  total: count.describe('Number of matches before the limit.'),
};
const listed = z.array(eventSchema).max(listLimit);

export const eventsDocumentSchema = z
  .strictObject({
    ...listFields,
    events: listed.describe('The soonest events, ordered by `starts_at`, then `id`.'),
  })
  .describe('Upcoming events, soonest first.');

export const nextDocumentSchema = eventsDocumentSchema
  .extend({
    events: z
      .array(eventSchema)
      .max(nextEvents)
      .describe('The soonest events, ordered by `starts_at`, then `id`.'),
    now: z
      .array(eventSchema)
      .max(nextUnderWay)
      .describe('The events under way that end soonest, ordered by `over_at`, then `id`.'),
  })
  .describe('The soonest upcoming events, and what is on.');

export const nowDocumentSchema = z
  .strictObject({
    ...listFields,
    events: listed.describe('The events, ordered by `over_at`, then `id`.'),
  })
  .describe('Events under way: they have begun and are not over.');

/** The fields that only events with a date have. */
const dated = {
  starts_at: true,
  ends_at: true,
  date: true,
  end_date: true,
  time_known: true,
  precision: true,
  starts_local: true,
  upcoming_until: true,
  over_at: true,
} as const;
const { id, title, subject, genre, category, ...otherFields } = eventSchema.omit(dated).shape;

export const announcementSchema = z
  .strictObject({
    id: id.describe('`{genre}/{subject}/{event}`: the id that the event keeps once it is dated.'),
    title: title.describe('What will happen.'),
    subject,
    genre,
    category,
    period: z
      .string()
      .regex(/^\d{4}(-(\d{2}|Q[1-4]|H[12]))?$/)
      .describe(
        'A month, quarter, half or year as written: `2027-06`, `2027-Q2`, `2027-H1` or `2027`.',
      ),
    window: z
      .strictObject({
        from: date.describe('Its first date.'),
        until: date.describe('Its last date.'),
      })
      .describe('The dates that enclose the period.'),
    ...otherFields,
  })
  .describe('An announcement. It has no date yet, so it is not an event.');

export const announcedDocumentSchema = z
  .strictObject({
    ...listFields,
    announced: z
      .array(announcementSchema)
      .max(listLimit)
      .describe('The announcements, ordered by `window.until`, then `id`.'),
  })
  .describe('Announcements, which have no date yet.');

/** A line of events.ndjson: a record with its state as its last field. */
export const entrySchema = z.discriminatedUnion('state', [
  eventSchema.extend({ state: z.enum(states).exclude(['announced']) }),
  announcementSchema.extend({ state: z.literal('announced') }),
]);

export const subjectSchema = z
  .strictObject({
    id: slug.describe('Identifier of the subject within its genre.'),
    name: text.describe('Name of the subject.'),
    aliases: z.array(text).describe('Other names that people search for.'),
    genre: slug.describe('The genre it belongs to.'),
    category: slug.describe('The category of its genre.'),
    url: httpsUrl.nullable().describe('Page about the subject.'),
    upcoming: count.describe('Number of its upcoming events.'),
    next: eventSchema
      .pick({
        id: true,
        title: true,
        date: true,
        starts_at: true,
        time_known: true,
      })
      .nullable()
      .describe('Its soonest upcoming event.'),
  })
  .describe('A subject, with its upcoming count and its next event.');

export const subjectsDocumentSchema = z
  .strictObject({
    filters: eventFilters,
    subjects: z.array(subjectSchema).describe('The subjects, ordered by `genre`, then `id`.'),
  })
  .describe('Subjects: all, or those of one category or genre.');

const listSchema = z
  .strictObject({
    kind: z
      .enum(['month', 'country', 'tag', 'collection'])
      .describe('What its events have in common.'),
    id: slug.describe('Its id, such as `2027-05`, `de` or `jazz`.'),
    name: text.describe(
      'Its name. Months and countries have theirs in the language of the service.',
    ),
    upcoming: count.describe('Number of its upcoming events.'),
    path: z
      .string()
      .regex(/^api\/v1\/[a-z]+\/[a-z0-9-]+\/$/)
      .describe('The folder of its documents, relative to the base URL.'),
  })
  .describe('A month, country, tag or collection that has documents of its own.');

export const listsDocumentSchema = z
  .strictObject({
    lists: z
      .array(listSchema)
      .describe('The lists: months, countries, tags and collections, each ordered by `id`.'),
  })
  .describe('The months, countries, tags and collections that have documents of their own.');
const events = z.array(eventSchema);
const subjectFields = {
  id: true,
  name: true,
  aliases: true,
  url: true,
  genre: true,
  category: true,
} as const;

export const subjectDocumentSchema = z
  .strictObject({
    subject: subjectSchema
      .pick(subjectFields)
      .describe('The subject, with the genre that it belongs to.'),
    next: eventSchema.nullable().describe('Its soonest upcoming event.'),
    events: events.describe('All of its upcoming events, ordered by `starts_at`, then `id`.'),
    now: events.describe('Its events under way, ordered by `over_at`, then `id`.'),
    announced: z
      .array(announcementSchema)
      .describe('What is announced, ordered by `window.until`, then `id`.'),
    cancelled: z
      .array(z.union([eventSchema, announcementSchema]))
      .describe('Its cancelled events, then announcements, until they would have been over.'),
    past: events.describe('Its events that ended recently, most recently ended first.'),
  })
  .describe('A subject with all of its events.');

const fields = z.record(z.string(), z.unknown()).nullable();

const changeSchema = z
  .strictObject({
    at: instant.describe(
      'The time of the build that first published it. It is later than that of any earlier build.',
    ),
    kind: z
      .enum(changeKinds)
      .describe(
        'What happened: `dated` means that an announced or postponed event now has a date, `moved` that its time changed.',
      ),
    id: z.string().describe('The id of the event.'),
    title: text.describe('What happens.'),
    subject: subject.describe('What it is about.'),
    genre: slug.describe('The genre of the event.'),
    category: slug.describe('The category of the event.'),
    before: fields.describe('The fields that differ, as they were; null if the event was added.'),
    after: fields.describe(
      'The fields that differ, as they are; null if the event was cancelled or removed.',
    ),
    collections: z
      .array(slug)
      .optional()
      .describe('The collections of the event. Missing if it is in none.'),
  })
  .describe('A change of an event.');

export const changesDocumentSchema = z
  .strictObject({
    since: instant
      .nullable()
      .describe(
        'When the log begins: with the first build of the site, or null if an older almanac built it.',
      ),
    complete_since: instant
      .nullable()
      .describe(
        'The instant after which no change is missing. If you last looked before it, fetch every event.',
      ),
    changes: z
      .array(changeSchema)
      .max(1000)
      .describe('The changes, newest first, ordered by `at`, then `id`.'),
  })
  .describe('What changed in the catalogue.');

export const indexDocumentSchema = z
  .strictObject({
    name: text.describe('Name of the service.'),
    version: z.literal(interfaceVersion).meta({ type: 'integer' }).describe('Interface version.'),
    documentation: z.url().describe('Address of the human-readable reference.'),
    license: text.describe('Licence statement: free, no key.'),
    catalogue: z
      .strictObject({
        genres: count.describe('Number of genres.'),
        subjects: count.describe('Number of subjects.'),
        upcoming: count.describe('Number of upcoming events, uncapped.'),
        categories: count.describe('Number of categories.'),
        last_sync: instant.describe('Time of the last synchronisation of the catalogue.'),
      })
      .describe('Catalogue totals.'),
    endpoints: z
      .record(z.string(), z.string())
      .describe(
        'The operations: `<METHOD> <path>[?<example query>]` to a one-sentence description.',
      ),
    note: text.describe('How to read `time_known` and `precision`.'),
  })
  .describe('The index document: the service, its licence, its totals and its operations.');

export const problemSchema = z
  .strictObject({
    type: z.string().describe('Address of the description of this kind of problem.'),
    title: text.describe('The kind of problem in words.'),
    status: z.int().min(400).max(599).describe('The HTTP status.'),
    detail: text.describe('What was found in the request, and what was expected.'),
  })
  .describe('A problem (RFC 9457).');

export const manifestSchema = z
  .strictObject({
    generator: z
      .string()
      .regex(/^almanac\/./)
      .describe('The program that built the site, with its version.'),
    files: z
      .record(
        z.string(),
        z.strictObject({
          bytes: count.describe('Its size.'),
          sha256: z
            .string()
            .regex(/^[0-9a-f]{64}$/)
            .describe('Its SHA-256, in hexadecimal digits.'),
        }),
      )
      .describe('The files by their paths relative to the base URL.'),
  })
  .describe('Every file of the site except this one.');

/** The published schemas by their names in the OpenAPI document. */
export const schemas = {
  Index: indexDocumentSchema,
  Categories: categoriesDocumentSchema,
  Category: categorySchema,
  Genres: genresDocumentSchema,
  Genre: genreSchema,
  Events: eventsDocumentSchema,
  Event: eventSchema,
  Next: nextDocumentSchema,
  Now: nowDocumentSchema,
  Announced: announcedDocumentSchema,
  Announcement: announcementSchema,
  Subjects: subjectsDocumentSchema,
  SubjectDocument: subjectDocumentSchema,
  Subject: subjectSchema,
  Lists: listsDocumentSchema,
  List: listSchema,
  Changes: changesDocumentSchema,
  Change: changeSchema,
  Problem: problemSchema,
  Inventory: manifestSchema,
} as const;
export type SchemaName = keyof typeof schemas;
