import { idPattern, maxIdCharacters } from '../../catalogue/id.ts';
import { z } from 'zod';
import { readBaseUrl } from '../../catalogue/url.ts';
import {
  controls,
  isHttpsUrl,
  isId,
  isSourceUrl,
  mostLicenceCharacters,
  mostNameCharacters,
  textFault,
  withoutCredentials,
} from '../rules.ts';
import { isTextFormat, textFormatNames } from '../formats.ts';

/**
 * The shapes of the source files. What stands across keys and files is checked where they are read.
 * What `meta` says goes into the schemas for editors: never stricter than the check, so that no red line is wrong.
 * Editors differ in how they read a pattern: without the `u` flag there is no `\p{Cc}`, and a character may be two
 * halves, so that a lone half can't be told from one of a pair.
 */

function text(most: number = mostNameCharacters) {
  return z
    .string()
    .superRefine((value, context) => {
      const fault = textFault(value, most);
      if (fault !== null) context.addIssue({ code: 'custom', params: fault });
    })
    .meta({ minLength: 1, maxLength: most, pattern: `^(?!\\s)[^${controls}]+(?<!\\s)$` });
}

const httpsUrl = z
  .string()
  .superRefine((found, context) => {
    if (!isHttpsUrl(found)) context.addIssue({ code: 'custom', params: { code: 'bad-url', found } });
  })
  .meta({ pattern: `^https://[^\\s${controls}]+$` });

const id = z
  .string()
  .superRefine((found, context) => {
    if (!isId(found)) context.addIssue({ code: 'custom', params: { code: 'bad-id', found } });
  })
  .meta({ maxLength: maxIdCharacters, pattern: idPattern.source });

const baseUrl = z
  .string()
  .superRefine((found, context) => {
    if (readBaseUrl(found) === null) {
      const shown = withoutCredentials(found);
      context.addIssue({ code: 'custom', params: { code: 'bad-base-url', found: shown, from: 'service.json' } });
    }
  })
  .meta({ pattern: `^[Hh][Tt][Tt][Pp][Ss]?://[^\\s${controls}?#]+$` });

const $schema = z.string().describe('Where an editor finds the schema of this file.').optional();

export const serviceSchema = z
  .strictObject({
    $schema,
    name: text().describe('Name of the service.'),
    license: text(mostLicenceCharacters).describe('Licence statement: free to use, no key required.'),
    base_url: baseUrl.describe('The http or https address the site is served from.').optional(),
  })
  .describe('The service: service.json.');

export const categorySchema = z
  .strictObject({ $schema, name: text().describe('Name of the category.') })
  .describe('A category: category.json in its folder.');

export const genreSchema = z
  .strictObject({ $schema, name: text().describe('Name of the genre.') })
  .describe('A genre: genre.json in its folder.');

const date = '(19|2\\d)\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const [hours, minutes] = ['([01]\\d|2[0-3])', '[0-5]\\d'];
const startsPattern =
  `^${date}(T${hours}(:${minutes}(:${minutes})?)?(Z|[+-]${hours}:${minutes})?)?$|` +
  '^(19|2\\d)\\d{2}(-(0[1-9]|1[0-2]|Q[1-4]))?$';

/** What an editor proposes; every other zone is as good. */
const exampleZones = [
  'UTC',
  'Africa/Cairo',
  'America/Los_Angeles',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Europe/Berlin',
  'Europe/London',
  'Pacific/Auckland',
];

export const namingSchema = z
  .strictObject({
    $schema,
    name: text().describe('Name of the subject.'),
    url: httpsUrl.describe('https page about the subject.').optional(),
  })
  .describe('Name and url of a subject whose events stand in the calendar {subject}.ics beside it.');

export const sourceSchema = z
  .strictObject({
    $schema,
    name: text().describe('Name of the subject; without it, the one that the calendar gives itself.').optional(),
    url: httpsUrl.describe('https page about the subject.').optional(),
    source: z
      .string()
      .superRefine((found, context) => {
        if (isSourceUrl(found)) return;
        const shown = withoutCredentials(found);
        context.addIssue({ code: 'custom', params: { code: 'bad-source-url', found: shown } });
      })
      .meta({
        pattern:
          '^(?![^:]*:[/\\\\]*[^/\\\\?#]*@)(https://\\S|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])([:/?#]|$))\\S*$',
      })
      .describe('The https address that the calendar or table is fetched from.'),
    format: z
      .string()
      .superRefine((found, context) => {
        if (isTextFormat(found)) return;
        context.addIssue({ code: 'custom', params: { code: 'bad-format', found, allowed: textFormatNames } });
      })
      .meta({ enum: [...textFormatNames] })
      .describe('What is fetched: a calendar (ics) or a table (csv).'),
  })
  .describe('A remote source: {subject}.source.json.');

export const eventSchema = z
  .strictObject({
    title: text().describe('What happens.'),
    starts: z
      .string()
      .describe(
        'When it starts, as precisely as it is known: 2027-03-04, 2027-03-04T20:00 with a zone, 2027-03-04T20:00Z, ' +
          'or 2027-03, 2027-Q2, 2027 when it is announced but not dated.',
      )
      .meta({ pattern: startsPattern, examples: ['2027-03-04', '2027-03-04T20:00', '2027-03-04T20:00Z', '2027-03'] }),
    zone: z
      .string()
      .describe('UTC, or an IANA zone such as Europe/Berlin.')
      .meta({ pattern: '^(UTC|[A-Za-z_]+(/[A-Za-z0-9_+-]+)+)$', examples: exampleZones })
      .optional(),
    url: httpsUrl.describe('https page about the event; without it, that of its subject.').optional(),
    id: id.describe('Id within the subject; without it, the title as a slug.').optional(),
    cancelled: z.boolean().describe('True: it will not happen.').optional(),
  })
  .describe('An event.')
  .meta({
    // A clock time without an offset says nothing without its zone.
    if: { properties: { starts: { type: 'string', pattern: 'T[^Z+-]*$' } }, required: ['starts'] },
    // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { zone: true }, required: ['zone'] },
  });

export const subjectSchema = z
  .strictObject({
    $schema,
    name: text().describe('Name of the subject.'),
    url: httpsUrl.describe('https page about the subject.').optional(),
    events: z.array(eventSchema).describe('Its events, in any order.'),
  })
  .describe('A subject: what events happen to.');
