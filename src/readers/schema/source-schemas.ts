import { controls } from '../../catalogue/text.ts';
import * as z from 'zod';
import { idPattern, maxGenreIdCharacters, maxIdCharacters } from '../../catalogue/id.ts';
import type { Extra } from '../../catalogue/model.ts';
import {
  findHalfPair,
  maxDescriptionCharacters,
  maxExceptions,
  maxLicenceCharacters,
  maxNameCharacters,
  maxPastDays,
  maxTags,
  textRules,
  type TextRule,
} from './rules.ts';
import { kindOfPath } from './file-kinds.ts';
import { findPageAddress, findSecret } from './addresses.ts';
import { nearest } from '../../problem/nearest.ts';
import { extraColumn, extraLimits, findExtraProblems } from './extra.ts';
import descriptions from './field-descriptions.json' with { type: 'json' };

/*
 * The fields of the source files, each declared once. Types, validation, the schemas for editors
 * and the columns of tables follow from these declarations. Rules that concern several fields or
 * files are checked where these are read.
 */

type Shape = Readonly<Record<string, z.ZodType>>;
type Texts = Readonly<Record<string, string>>;

/** Returns fields with their descriptions. Several files share the descriptions of `common`. */
function described<S extends Shape>(kind: keyof typeof descriptions, shape: S): S {
  const texts: Texts = { ...descriptions.common, ...descriptions[kind] };
  const fields = Object.entries(shape).map(([key, field]) => {
    const description = field.description ?? texts[key];
    return [key, description === undefined ? field : field.describe(description)];
  });
  return Object.fromEntries(fields) as S;
}

function file<S extends Shape>(kind: keyof typeof descriptions, shape: S) {
  const { '': description = '' }: Texts = descriptions[kind];
  return z
    .strictObject(described(kind, { $schema: z.string().optional(), ...shape }))
    .describe(description);
}

/**
 * Declares a text that keeps a rule. `hints` go into the schemas for editors. They must never be
 * stricter than the rule, or an editor would underline valid text. Some editors compile patterns
 * without the `u` flag, so patterns avoid `\p{Cc}` and can't detect lone surrogates.
 */
function text(
  name: TextRule,
  hints: { maxLength?: number; pattern?: string; examples?: string[] } = {},
) {
  const rule = textRules[name];
  return z
    .string()
    .superRefine((value, context) => {
      const problem = rule(value);
      if (problem !== null) context.addIssue({ code: 'custom', params: problem });
    })
    .meta({ ...hints, ...('allowed' in rule && { enum: [...rule.allowed] }) });
}

const plain = { pattern: `^(?!\\s)[^${controls}]+(?<!\\s)$` };
const name = text('name', { ...plain, maxLength: maxNameCharacters });
const urlHints = { pattern: `^https://[^\\s${controls}]+$` };
const httpsUrl = text('url', urlHints);
const picture = text('image', urlHints);

const simpleValues = [
  { type: 'string', maxLength: extraLimits.characters },
  { type: 'number' },
  { type: 'boolean' },
];
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
      anyOf: [
        ...simpleValues,
        { type: 'array', maxItems: extraLimits.entries, items: { anyOf: simpleValues } },
      ],
    },
  })
  .optional();

const exampleZones = ['UTC', 'America/New_York', 'Asia/Tokyo', 'Europe/Berlin', 'Europe/London'];
const zoneHints = { pattern: '^(UTC|[A-Za-z_]+(/[A-Za-z0-9_+-]+)+)$', examples: exampleZones };
const zone = text('zone', zoneHints);

const service = file('service', {
  name,
  license: text('licence', { ...plain, maxLength: maxLicenceCharacters }),
  base_url: text('base-url', {
    pattern: `^[Hh][Tt][Tt][Pp][Ss]?://[^\\s${controls}?#]+$`,
  }).optional(),
  lang: text('language', { pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$' }).optional(),
  zone: zone.optional(),
  authority: text('authority', {
    maxLength: 253,
    pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$',
  }).optional(),
  formats: z.array(text('companion')).optional(),
  tagline: name.optional(),
  accent: text('colour', { pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' }).optional(),
  pages: text('pages').optional(),
  credit: z.boolean().optional(),
  edit_url: text('edit-url', urlHints).optional(),
  extra,
  labels: z.record(z.string(), name).optional(),
  past: z.int().min(0).max(maxPastDays).optional(),
});

const country = text('country', { pattern: '^[A-Z]{2}$', examples: ['DE', 'US'] });

/** A location in full. Each field except its name is also a column of a table. */
export const place = z
  .strictObject(
    described('place', {
      name,
      address: name.optional(),
      country: country.optional(),
      latitude: z.number().min(-90).max(90).optional(),
      longitude: z.number().min(-180).max(180).optional(),
    }),
  )
  .superRefine((value, context) => {
    const problem = findHalfPair(value);
    if (problem !== null) context.addIssue({ code: 'custom', params: problem });
  })
  .meta({ dependencies: { latitude: ['longitude'], longitude: ['latitude'] } });
const location = z.union([name, place]).nullable().optional();

const tag = text('tag', { maxLength: maxIdCharacters, pattern: idPattern.source });
const tags = z.array(tag).max(maxTags).optional();

const facts = {
  description: text('description', { maxLength: maxDescriptionCharacters }).nullable().optional(),
  image: z
    .union([picture, z.strictObject(described('image', { url: picture, alt: name.optional() }))])
    .nullable()
    .optional(),
  attendance: text('attendance').nullable().optional(),
  organizer: z
    .union([name, z.strictObject(described('organizer', { name, url: httpsUrl.optional() }))])
    .nullable()
    .optional(),
  source: httpsUrl.nullable().optional(),
};

const defaults = { zone: zone.nullable().optional(), location, tags, ...facts, extra };

function formerIds(rule: TextRule, maxLength: number, pattern = idPattern.source) {
  return z.array(text(rule, { maxLength, pattern })).max(20).optional();
}

const category = file('category', { name, formerly: formerIds('id', maxIdCharacters) });

const genre = file('genre', {
  name,
  formerly: formerIds('former-genre', maxGenreIdCharacters),
  ...defaults,
});

const formerly = formerIds(
  'former-subject',
  maxGenreIdCharacters + 1 + maxIdCharacters,
  '^[a-z0-9/-]+$',
);

const formerSubjects = z.record(z.string(), formerly.unwrap());

const calendarSwitches = { descriptions: z.boolean().optional(), private: z.boolean().optional() };

const naming = file('naming', {
  name,
  url: httpsUrl.optional(),
  zone: zone.optional(),
  formerly,
  ...calendarSwitches,
});

const date = '(19|2\\d)\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const [hours, minutes] = ['([01]\\d|2[0-3])', '[0-5]\\d'];
const moment = `${date}(T${hours}(:${minutes}(:${minutes})?)?(Z|[+-]${hours}:${minutes})?)?`;
const startsPattern = `^${moment}$|^(19|2\\d)\\d{2}(-(0[1-9]|1[0-2]|Q[1-4]|H[12]))?$`;
const endsPattern = `^${moment}$|^${hours}:${minutes}(:${minutes})?$`;

/** An event. Each field is also a column of a table. */
export const eventSchema = z
  .strictObject(
    described('event', {
      title: name,
      starts: z.string().meta({
        pattern: startsPattern,
        examples: ['2027-03-04', '2027-03-04T20:00', '2027-03-04T20:00Z', '2027-03'],
      }),
      ends: z
        .string()
        .meta({ pattern: endsPattern, examples: ['2027-03-06', '2027-03-04T22:30', '22:30'] })
        .optional(),
      repeat: name.optional(),
      except: z
        .array(text('except', { pattern: `^${date}$` }))
        .max(maxExceptions)
        .optional(),
      zone: z.string().meta(zoneHints).nullable().optional(),
      url: httpsUrl.optional(),
      id: text('id', { maxLength: maxIdCharacters, pattern: idPattern.source }).optional(),
      status: text('status').optional(),
      cancelled: z.boolean().optional(),
      location,
      tags,
      ...facts,
      extra,
      far_ahead: z.boolean().optional(),
    }),
  )
  .describe(descriptions.event['']);

const tableColumns = ['subject', 'subject_id', 'time', 'end_time', 'hidden', 'published'];
const columnNames = [
  ...tableColumns,
  ...[eventSchema, place].flatMap(({ shape }) =>
    Object.keys(shape).filter((key) => !['name', 'extra'].includes(key)),
  ),
];
const columnName = z
  .string()
  .superRefine((column, context) => {
    if (columnNames.includes(column) || extraColumn.test(column)) return;
    const params = {
      code: 'bad-value',
      found: column,
      expected: `one of ${columnNames.join(', ')}, or extra.NAME for a field of your own`,
    };
    const proposal = column.toLowerCase().replace(/[^a-z0-9.]+/g, '_');
    const isOwn = /^extra\./i.test(column) && extraColumn.test(proposal);
    context.addIssue({
      code: 'custom',
      params: { ...params, proposal: isOwn ? proposal : nearest(column, columnNames) },
    });
  })
  .meta({ anyOf: [{ enum: columnNames }, { pattern: extraColumn.source }] });

const mapping = described('mapping', {
  rows: name.optional(),
  columns: z.record(z.string(), columnName).optional(),
  dates: text('date-order').optional(),
  subject: name.optional(),
  title: name.optional(),
  zone: zone.optional(),
  ignore: z.union([z.array(z.string()), text('ignored-columns')]).optional(),
  skip: z.boolean().optional(),
  lang: text('language').optional(),
  preset: text('preset').optional(),
});

const columns = file('columns', {
  ...mapping,
  formerly: formerSubjects.optional(),
});

/** Several mappings of one table, which is read once with each of them. */
const readings = z.array(columns).min(1).max(10).describe(descriptions.columns['']);

const source = file('source', {
  name: name.optional(),
  url: httpsUrl.optional(),
  file: text('source-file', { pattern: '^(?!/)(?!(.*/)?\\.\\.(/|$))[^\\\\]+$' }).optional(),
  source: text('source-url', {
    pattern:
      '^(?![^:]*:[/\\\\]*[^/\\\\?#]*@)(https://\\S|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])([:/?#]|$))\\S*$',
  }).optional(),
  format: text('text-format').optional(),
  formerly: z.union([formerly.unwrap(), formerSubjects]).optional(),
  ignore_ids: z.array(name).optional(),
  ...calendarSwitches,
  ...mapping,
}).superRefine((fields, context) => {
  const { source: address, format, file: path } = fields;
  const page = format === 'jsonld' ? null : findPageAddress(address ?? '');
  const params = address === undefined ? null : (findSecret(address) ?? page);
  if (params !== null) context.addIssue({ code: 'custom', params, path: ['source'] });
  const problem = findOriginProblem(address, path, format);
  if (problem !== null) context.addIssue({ code: 'custom', params: problem });
});

/** Returns what is wrong with where a source is: at an address, or in a file of the repository. */
function findOriginProblem(address = '', path = '', format = '') {
  const required = ['source', 'format'];
  if (address === '' && path === '') return { code: 'missing-key', key: 'source', required };
  if (address !== '' && format === '') return { code: 'missing-key', key: 'format', required };
  if (path !== '' && format === '' && kindOfPath(path) === null)
    return { code: 'missing-key', key: 'format', required: ['file', 'format'] };
  const isUnfit = path === '' ? format === 'entries' : address !== '' || format === 'almanac';
  return isUnfit ? { code: 'source-or-file', format } : null;
}

const subject = file('subject', {
  name,
  url: httpsUrl.optional(),
  aliases: z.array(name).max(20).optional(),
  formerly,
  ...defaults,
  events: z.array(eventSchema),
});

const collection = z.strictObject(
  described('collection', {
    name,
    categories: z.array(name).optional(),
    genres: z.array(name).optional(),
    subjects: z.array(name).optional(),
    tags: z.array(tag).optional(),
    countries: z.array(country).optional(),
  }),
);

const collections = z
  .object(described('collections', { $schema: z.string().optional() }))
  .catchall(collection)
  .describe(descriptions.collections['']);

/** The kinds of source files. Each name is also the name of the file's schema for editors. */
export const sourceSchemas = {
  service,
  category,
  genre,
  naming,
  columns,
  readings,
  source,
  subject,
  collections,
};
