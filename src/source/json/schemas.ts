import { controls } from '../../catalogue/text.ts';
import { z } from 'zod';
import { idPattern, idSource, maxGenreIdCharacters, maxIdCharacters } from '../../catalogue/id.ts';
import { companions, type Extra } from '../../catalogue/model.ts';
import {
  attendances,
  coordinatePair,
  dateOrders,
  findHalfPair,
  maxDescriptionCharacters,
  maxExceptions,
  maxLicenceCharacters,
  maxNameCharacters,
  maxPastDays,
  maxTags,
  pageSwitches,
  statuses,
  textRules,
  type TextRule,
} from '../rules.ts';
import { nearest } from '../../problem/nearest.ts';
import { extraColumn, extraLimits, findExtraProblems } from '../extra.ts';
import { textFormatNames } from '../subject-files.ts';

/*
 * The fields of the source files, each declared once. Types, validation, the schemas for editors and the columns of
 * tables follow from these declarations. Rules that concern several fields or files are checked where these are read.
 */

/**
 * Declares a text that keeps a rule. `hints` go into the schemas for editors. They must never be stricter than the
 * rule, or an editor would underline valid text. Some editors compile patterns without the `u` flag, so patterns avoid
 * `\p{Cc}` and can't detect lone surrogates.
 */
function text(
  rule: TextRule,
  hints: { minLength?: number; maxLength?: number; pattern?: string; enum?: string[]; examples?: string[] },
) {
  return z
    .string()
    .superRefine((value, context) => {
      const problem = textRules[rule](value);
      if (problem !== null) context.addIssue({ code: 'custom', params: problem });
    })
    .meta(hints);
}

const plain = { minLength: 1, pattern: `^(?!\\s)[^${controls}]+(?<!\\s)$` };
const name = text('name', { ...plain, maxLength: maxNameCharacters });
const httpsUrl = text('url', { pattern: `^https://[^\\s${controls}]+$` });
const $schema = z.string().describe('Where editors find the schema of this file.').optional();

const simpleValues = [{ type: 'string', maxLength: extraLimits.characters }, { type: 'number' }, { type: 'boolean' }];
const extra = (z.any() as z.ZodType<Extra>)
  .superRefine((value, context) => {
    for (const { key, ...params } of findExtraProblems(value)) {
      context.addIssue({ code: 'custom', params, path: key === null ? [] : [key] });
    }
  })
  .meta({
    type: 'object',
    maxProperties: extraLimits.keys,
    propertyNames: { pattern: extraLimits.key.source },
    additionalProperties: {
      anyOf: [...simpleValues, { type: 'array', maxItems: extraLimits.entries, items: { anyOf: simpleValues } }],
    },
  })
  .describe('Fields of your own, such as {"price_eur": 12}. They are published as they are, and never interpreted.')
  .optional();

const exampleZones = [
  ...'UTC Africa/Cairo America/Los_Angeles America/New_York America/Sao_Paulo Asia/Kolkata Asia/Shanghai'.split(' '),
  ...'Asia/Tokyo Australia/Sydney Europe/Berlin Europe/London Pacific/Auckland'.split(' '),
];
const zoneHints = { pattern: '^(UTC|[A-Za-z_]+(/[A-Za-z0-9_+-]+)+)$', examples: exampleZones };

const service = z
  .strictObject({
    $schema,
    name: name.describe('Name of the service.'),
    license: text('licence', { ...plain, maxLength: maxLicenceCharacters }).describe(
      'Licence statement: free to use, no key required.',
    ),
    base_url: text('base-url', { pattern: `^[Hh][Tt][Tt][Pp][Ss]?://[^\\s${controls}?#]+$` })
      .describe('The http or https address the site is served from.')
      .optional(),
    lang: text('language', { pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$' })
      .describe('The language of the pages, as a BCP 47 tag. Default: en.')
      .optional(),
    zone: text('zone', zoneHints)
      .describe('The time zone of events that do not name one: UTC, or an IANA zone such as Europe/Berlin.')
      .optional(),
    authority: text('authority', { maxLength: 253, pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' })
      .describe(
        'The name in the ids of calendar entries and feeds, which stay the same if the address changes. Default: the host of the base URL.',
      )
      .optional(),
    formats: z
      .array(text('companion', { enum: [...companions] }))
      .describe(
        'Which files to publish next to the lists: ics, next, now, announced, feed, subjects, ndjson, csv. Without ndjson there is no log of changes and no feed. Default: all.',
      )
      .optional(),
    tagline: text('name', { ...plain, maxLength: maxNameCharacters })
      .describe('One line that says what the site is about, for its pages and link previews.')
      .optional(),
    accent: text('colour', { pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })
      .describe(
        'The colour of links and marks, such as #8f2d0f. Each theme darkens or lightens it until text is readable.',
      )
      .optional(),
    pages: text('pages', { enum: [...pageSwitches] })
      .describe(
        'Which pages for people to build: "all", "genres" (only those of categories and genres), or "home". Default: all.',
      )
      .optional(),
    credit: z.boolean().describe('Whether the pages name almanac in their footer. Default: true.').optional(),
    edit_url: text('edit-url', { pattern: `^https://[^\\s${controls}]*\\{path\\}[^\\s${controls}]*$` })
      .describe(
        'Where people propose corrections: the address at which a data file is edited, with {path} in place of its path in the data folder.',
      )
      .optional(),
    extra,
    past: z
      .int()
      .min(0)
      .max(maxPastDays)
      .describe(
        'The number of days for which events that are over stay in calendars and in events.ndjson. Default: 180.',
      )
      .optional(),
  })
  .describe('The service: service.json.');

const country = text('country', { pattern: '^[A-Z]{2}$', examples: ['DE', 'US'] });

/** A location in full. Each field except its name is also a column of a table. */
export const place = z
  .strictObject({
    name: name.describe('Name of the place.'),
    address: name.describe('Its address in one line.').optional(),
    country: country.describe('Its country: two letters of ISO 3166-1, such as DE.').optional(),
    latitude: z.number().min(-90).max(90).describe('Degrees north; south is negative.').optional(),
    longitude: z.number().min(-180).max(180).describe('Degrees east; west is negative.').optional(),
  })
  .superRefine((found, context) => {
    const problem = findHalfPair(found);
    if (problem !== null) context.addIssue({ code: 'custom', params: problem });
  })
  .meta({ dependencies: coordinatePair });

const tags = z
  .array(text('tag', { maxLength: maxIdCharacters, pattern: idPattern.source }))
  .max(maxTags)
  .optional();

/** Facts that an event may give, or its genre or subject for all of their events. Null: none. */
const facts = {
  description: text('description', {
    minLength: 1,
    maxLength: maxDescriptionCharacters,
    pattern: '^(?!\\s)[^\\u0000-\\u0009\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]+(?<!\\s)$',
  })
    .nullable()
    .describe(
      'Plain text about it, up to 2,000 characters with line breaks. Inherited from the level above if omitted.',
    )
    .optional(),
  image: z
    .union([
      httpsUrl,
      z.strictObject({
        url: httpsUrl.describe('The https address of the picture.'),
        alt: name.describe('A text that says what it shows.').optional(),
      }),
    ])
    .nullable()
    .describe('A picture: its https address, or an object with url and alt. Inherited from the level above if omitted.')
    .optional(),
  attendance: text('attendance', { enum: [...attendances] })
    .nullable()
    .describe('How people attend: in-person, online or hybrid. Inherited from the level above if omitted.')
    .optional(),
  organizer: z
    .union([
      name,
      z.strictObject({
        name: name.describe('Name of the organizer.'),
        url: httpsUrl.describe('https page about the organizer.').optional(),
      }),
    ])
    .nullable()
    .describe('Who organizes it: a name, or an object with name and url. Inherited from the level above if omitted.')
    .optional(),
  source: httpsUrl
    .nullable()
    .describe('Evidence: the https page from which the facts were taken. Inherited from the level above if omitted.')
    .optional(),
};

const defaults = {
  zone: text('zone', zoneHints)
    .nullable()
    .describe('The time zone of events that do not name one. Default: the zone of the level above.')
    .optional(),
  location: z
    .union([name, place])
    .nullable()
    .describe('The location of events that do not name one. Default: the location of the level above.')
    .optional(),
  tags: tags.describe('Tags of all its events, besides their own.'),
  ...facts,
  extra,
};

function formerly(rule: TextRule, pattern: string, maxLength: number, description: string) {
  return z.array(text(rule, { maxLength, pattern })).max(20).describe(description).optional();
}

const category = z
  .strictObject({
    $schema,
    name: name.describe('Name of the category.'),
    formerly: formerly(
      'id',
      idPattern.source,
      maxIdCharacters,
      'The ids that it had before, whose addresses lead to it. They also count for its genres.',
    ),
  })
  .describe('A category: category.json in its folder.');

const genre = z
  .strictObject({
    $schema,
    name: name.describe('Name of the genre.'),
    formerly: formerly(
      'former-genre',
      idPattern.source,
      maxGenreIdCharacters,
      'The public ids that it had before, such as drama-tv, whose addresses lead to it.',
    ),
    ...defaults,
  })
  .describe('A genre: genre.json in its folder.');

const fromCalendars = {
  descriptions: z
    .boolean()
    .describe('True: publish the descriptions in the calendar, which may hold telephone numbers. Default: false.')
    .optional(),
  private: z
    .boolean()
    .describe(
      'Whether to publish the events that the calendar marks as private or confidential. ' +
        'False: leave them out without a warning. Default: leave them out with a warning.',
    )
    .optional(),
};

const ofSubject = {
  formerly: formerly(
    'former-subject',
    `^(${idSource}/)?${idSource}$`,
    maxGenreIdCharacters + 1 + maxIdCharacters,
    'The ids that it had before, whose addresses lead to it: severance, or drama-tv/severance in another genre.',
  ),
};

const naming = z
  .strictObject({
    $schema,
    name: name.describe('Name of the subject.'),
    url: httpsUrl.describe('https page about the subject.').optional(),
    ...ofSubject,
    ...fromCalendars,
  })
  .describe('Name and url of a subject whose events are in the calendar {subject}.ics next to this file.');

const date = '(19|2\\d)\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const [hours, minutes] = ['([01]\\d|2[0-3])', '[0-5]\\d'];
const startsPattern =
  `^${date}(T${hours}(:${minutes}(:${minutes})?)?(Z|[+-]${hours}:${minutes})?)?$|` +
  '^(19|2\\d)\\d{2}(-(0[1-9]|1[0-2]|Q[1-4]|H[12]))?$';
const clock = `${hours}:${minutes}(:${minutes})?`;
const endsPattern = `^${date}(T${hours}(:${minutes}(:${minutes})?)?(Z|[+-]${hours}:${minutes})?)?$|^${clock}$`;

/** An event. Each field is also a column of a table. */
export const eventSchema = z
  .strictObject({
    title: name.describe('What happens.'),
    starts: z
      .string()
      .describe(
        'When it starts, as precisely as it is known: 2027-03-04, 2027-03-04T20:00 with a zone, 2027-03-04T20:00Z, ' +
          'or 2027-03, 2027-Q2, 2027-H1, 2027 when it is announced but not dated.',
      )
      .meta({ pattern: startsPattern, examples: ['2027-03-04', '2027-03-04T20:00', '2027-03-04T20:00Z', '2027-03'] }),
    ends: z
      .string()
      .describe('When it ends, in the same form as starts: the last day, or a time; 22:30 is a time on the same day.')
      .meta({ pattern: endsPattern, examples: ['2027-03-06', '2027-03-04T22:30', '22:30'] })
      .optional(),
    repeat: name
      .describe(
        'That it happens again: a rule as calendars have it (RFC 5545), such as FREQ=WEEKLY;UNTIL=2027-06-30 or FREQ=MONTHLY;BYDAY=1TU;COUNT=12. Each date is an event of its own.',
      )
      .optional(),
    except: z
      .array(text('except', { pattern: `^${date}$` }))
      .max(maxExceptions)
      .describe('Dates on which a repeating event does not happen, such as 2027-04-05.')
      .optional(),
    zone: z
      .string()
      .meta(zoneHints)
      .nullable()
      .describe('UTC, or an IANA zone such as Europe/Berlin. Null: no zone. Default: the zone of its subject.')
      .optional(),
    url: httpsUrl.describe('https page about the event. Default: the page of its subject.').optional(),
    id: text('id', { maxLength: maxIdCharacters, pattern: idPattern.source })
      .describe('Id within the subject. Default: the title as a slug.')
      .optional(),
    status: text('status', { enum: [...statuses] })
      .describe('Whether it takes place: confirmed, tentative, postponed or cancelled. Default: confirmed.')
      .optional(),
    cancelled: z.boolean().describe('True if it will not take place: the same as status cancelled.').optional(),
    location: z
      .union([name, place])
      .nullable()
      .describe(
        'Where it happens: a name, or a place in full. Null: no location. Default: the location of its subject.',
      )
      .optional(),
    tags: tags.describe('Up to 10 slugs, such as open-air, besides those of its subject and genre.'),
    ...facts,
    extra,
    far_ahead: z
      .boolean()
      .describe('Set to true to confirm a date more than five years ahead; this ends the warning.')
      .optional(),
  })
  .describe('An event.');

/** What a column of a table can be: a field of an event or of its location, or what completes one. */
const columnNames = [
  'subject',
  'subject_id',
  'time',
  'end_time',
  ...[eventSchema, place].flatMap(({ shape }) =>
    Object.keys(shape).filter((key) => !['name', 'extra', 'far_ahead'].includes(key)),
  ),
];
const columnName = z
  .string()
  .superRefine((column, context) => {
    if (columnNames.includes(column) || extraColumn.test(column)) return;
    const params = { code: 'unknown-column', column, nearest: nearest(column, columnNames), allowed: columnNames };
    context.addIssue({ code: 'custom', params });
  })
  .meta({ anyOf: [{ enum: columnNames }, { pattern: extraColumn.source }] });

/** How to read a table whose columns are not ours. */
const mapping = {
  rows: name
    .describe('Where in a JSON document the list of objects is: data.matches. Default: it is the document.')
    .optional(),
  columns: z
    .record(z.string(), columnName)
    .describe('What the columns of the table are, by their names in its first line.')
    .optional(),
  dates: text('date-order', { enum: [...dateOrders] })
    .describe('The order of dates that are numbers: iso (year first), d.m.y, d/m/y or m/d/y. Default: iso.')
    .optional(),
  subject: name.describe('The name of the subject of every row.').optional(),
  title: name.describe('The title of every row, with names of columns in curly brackets: {Home} v {Away}.').optional(),
  zone: text('zone', zoneHints).describe('The time zone of rows that do not name one.').optional(),
  ignore: z
    .union([z.array(z.string()), text('ignored-columns', { enum: ['others'] })])
    .describe('The columns to ignore, or "others" for all that are not named here.')
    .optional(),
  skip: z.boolean().describe('Whether to leave out what cannot be read, with a warning. Default: false.').optional(),
};

const columns = z
  .strictObject({
    $schema,
    ...mapping,
    formerly: z
      .record(z.string(), ofSubject.formerly.unwrap())
      .describe('The ids that subjects of the table had before, by their ids.')
      .optional(),
  })
  .describe('How to read {table}.csv or {table}.json next to this file: {table}.columns.json.');

const source = z
  .strictObject({
    $schema,
    name: name.describe('Name of the subject. Default: the name in the calendar.').optional(),
    url: httpsUrl.describe('https page about the subject.').optional(),
    source: text('source-url', {
      pattern:
        '^(?![^:]*:[/\\\\]*[^/\\\\?#]*@)(https://\\S|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])([:/?#]|$))\\S*$',
    }).describe('The https address that the calendar or table is fetched from.'),
    format: text('text-format', { enum: [...textFormatNames] }).describe(
      'Format of the fetched file: a calendar (ics), a table (csv), a list of objects (json), a web page with JSON-LD (jsonld), ' +
        'or the events.ndjson of another catalogue (almanac).',
    ),
    ...ofSubject,
    ...fromCalendars,
    ...mapping,
  })
  .describe('A remote source: {subject}.source.json.');

const subject = z
  .strictObject({
    $schema,
    name: name.describe('Name of the subject.'),
    url: httpsUrl.describe('https page about the subject.').optional(),
    aliases: z.array(name).max(20).describe('Other names that people search for.').optional(),
    ...ofSubject,
    ...defaults,
    events: z.array(eventSchema).describe('Its events, in any order.'),
  })
  .describe('A subject: what events are about.');

const collection = z.strictObject({
  name: name.describe('Name of the collection.'),
  categories: z.array(name).describe('Ids of categories.').optional(),
  genres: z.array(name).describe('Public ids of genres, such as drama-tv.').optional(),
  subjects: z.array(name).describe('Subjects as {genre}/{subject}, such as drama-tv/severance.').optional(),
  tags: z
    .array(text('tag', { maxLength: maxIdCharacters, pattern: idPattern.source }))
    .describe('Tags.')
    .optional(),
  countries: z.array(country).describe('Countries: two letters of ISO 3166-1, such as DE.').optional(),
});

const collections = z
  .object({ $schema })
  .catchall(collection)
  .describe('Collections by their ids: collections.json. Each is the union of what it names.');

/** The kinds of source files. Each name is also the name of the file's schema for editors. */
export const sourceSchemas = { service, category, genre, naming, columns, source, subject, collections };

/** A key that zod passes over. */
export const hiddenKey = '__proto__';

/** Whether a file has that key. Only collections.json may have keys of any name. */
export function hasHiddenKey(value: unknown, kind: keyof typeof sourceSchemas): boolean {
  return kind === 'collections' && Object.hasOwn(Object(value) as object, hiddenKey);
}

/** Returns the JSON Schema of each kind of source file as text, for editors. Draft 7 is the newest that all support. */
export function editorSchemas(): ReadonlyMap<string, string> {
  const toText = (schema: z.ZodType): string =>
    `${JSON.stringify(z.toJSONSchema(schema, { target: 'draft-7' }), null, 2)}\n`;
  return new Map(Object.entries(sourceSchemas).map(([kind, schema]) => [kind, toText(schema)]));
}
