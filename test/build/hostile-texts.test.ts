import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import ICAL from 'ical.js';
import { XmlDocument } from 'libxml2-wasm';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventRecord, EventsDocument, ListsDocument } from '../../src/api/documents.ts';
import { textRules } from '../../src/readers/schema/rules.ts';
import { lastingFolder, readTree, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/*
 * Texts that try to leave their place, in every field that takes one and in every format: each is
 * read back as the text that it is, and no page has another element than with harmless texts.
 */
const snippets = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"\' onload=alert(1) x="',
  ']]>',
  '--><b>',
  '&amp;&#60;&lt;',
  '\\n\\,\\;\\\\',
  ';=1+1',
  '=cmd|"/c calc"!A0',
  '@SUM(A1)',
  '"",""',
  'END:VEVENT',
  '## Heading',
  '[link](https://example.org)',
  '`code` **strong**',
  '{{x}} ${x} %s',
  '\u202e\u2066',
  '日本語 😀',
];
const piece = fc.oneof(fc.constantFrom(...snippets), fc.string({ unit: 'grapheme', maxLength: 8 }));
const line = fc
  .array(piece, { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.join(' ').trim().slice(0, 150).trim())
  .filter((text) => textRules.name(text) === null);
const description = fc
  .array(line, { minLength: 1, maxLength: 4 })
  .map((lines) => lines.join('\n'))
  .filter((text) => textRules.description(text) === null);
const fields = {
  service: line,
  license: line,
  category: line,
  genre: line,
  subject: line,
  alias: line,
  title: line,
  place: line,
  address: line,
  description,
  alt: line,
  organizer: line,
  collection: line,
  link: fc.constantFrom('"><script>', "'><img/src=x>", '</a><b>'),
};
const texts = fc.record(fields);
type Texts = typeof texts extends fc.Arbitrary<infer T> ? T : never;

/** Each text begins with its own word, so that none contains another, whatever it is. */
function catalogueOf(given: Texts, starts: string): Tree {
  const of = (name: keyof Texts): string => `${name[0]}${name} ${given[name]}`;
  return {
    'service.json': {
      name: of('service'),
      license: of('license'),
      base_url: 'https://example.org',
    },
    'collections.json': { mine: { name: of('collection'), tags: ['x'] } },
    'c/category.json': { name: of('category') },
    'c/g/genre.json': { name: of('genre') },
    'c/g/s.json': {
      name: of('subject'),
      aliases: [of('alias')],
      url: `https://example.org/${given.link}`,
      events: [
        {
          id: 'e',
          title: of('title'),
          starts,
          tags: ['x'],
          location: { name: of('place'), address: of('address'), country: 'DE' },
          description: of('description'),
          image: { url: 'https://example.org/i.jpg', alt: of('alt') },
          organizer: of('organizer'),
        },
        { id: 'later', title: 'Later', starts: '2027-Q3', description: of('description') },
      ],
    },
  };
}

const folder = lastingFolder();
let runs = 0;

/** Builds a catalogue twice, the second time with another date, so that its feeds have an entry. */
async function build(given: Texts): Promise<ReadonlyMap<string, string>> {
  const cwd = join(folder, String(runs++));
  for (const [starts, now] of [
    ['2027-05-01', '2027-01-01T00:00:00Z'],
    ['2027-05-02', '2027-01-02T00:00:00Z'],
  ] as const) {
    writeTree(join(cwd, 'data'), catalogueOf(given, starts));
    const run = await runAlmanac(['build', '--quiet', '--now', now], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
  }
  return new Map([...readTree(join(cwd, 'dist'))].map(([path, bytes]) => [path, bytes.toString()]));
}

const harmless = Object.fromEntries(
  Object.keys(fields).map((name) => [name, 'harmless']),
) as unknown as Texts;

/**
 * The elements of a page in order. Everything that the data gives is escaped, so a `<` begins an
 * element.
 */
function elementsOf(page: string): string[] {
  return [...page.matchAll(/<\/?[a-z!][^\s>]*/gi)].map(([tag]) => tag);
}

function jsonOf(site: ReadonlyMap<string, string>, path: string): unknown {
  return JSON.parse(site.get(path) ?? '');
}

function expectRecord(site: ReadonlyMap<string, string>, given: Texts): EventRecord {
  const [record] = (jsonOf(site, 'api/v1/tag/x/events.json') as EventsDocument).events;
  expect(record).toMatchObject({
    title: `ttitle ${given.title}`,
    subject: { name: `ssubject ${given.subject}` },
    location: { name: `pplace ${given.place}`, address: `aaddress ${given.address}` },
    details: {
      description: `ddescription ${given.description}`,
      image: { alt: `aalt ${given.alt}` },
      organizer: { name: `oorganizer ${given.organizer}` },
    },
  });
  const lists = (jsonOf(site, 'api/v1/lists.json') as ListsDocument).lists.map(({ name }) => name);
  expect(lists).toContain(`ccollection ${given.collection}`);
  const lines = (site.get('api/v1/events.ndjson') ?? '').split('\n').filter((line) => line !== '');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual({
    ...record,
    state: 'upcoming',
  });
  return record as EventRecord;
}

/** Expects that an apostrophe is all that a table adds to a text. */
function expectTable(table: string, { title, details }: EventRecord): void {
  const rows: string[][] = parse(table, { bom: true });
  expect(rows.map((row) => row.length)).toEqual([30, 30]);
  const [names = [], cells = []] = rows;
  const cell = (name: string): string => cells[names.indexOf(name)] ?? '';
  const plain = (text: string): string => text.replaceAll("'", '');
  expect(plain(cell('title'))).toBe(plain(title));
  expect(plain(cell('description'))).toBe(plain(details?.description ?? ''));
  for (const one of cells) expect(one).not.toMatch(/(?:^|[;\n])[\s"]*[=+@-](?!\d+\.)/);
}

function expectCalendar(calendar: string, { title, subject, details, url }: EventRecord): void {
  const [event, ...others] = new ICAL.Component(
    ICAL.parse(calendar) as never[],
  ).getAllSubcomponents('vevent');
  expect(others).toEqual([]);
  expect(event?.getFirstPropertyValue('summary')).toBe(`${subject.name}: ${title}`);
  expect(event?.getFirstPropertyValue('description')).toBe(`${details?.description}\n\n${url}`);
  expect(event?.getFirstPropertyValue('location')).toContain('pplace');
}

test('a text that tries to leave its place is a text in every document, page, calendar, feed and table', async () => {
  const usual = await build(harmless);
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const site = await build(given);
      expect([...site.keys()]).toEqual([...usual.keys()]);
      const record = expectRecord(site, given);
      for (const [path, text] of site) {
        const plain = usual.get(path) ?? '';
        if (path.endsWith('.html')) {
          expect([path, elementsOf(text)]).toEqual([path, elementsOf(plain)]);
          for (const [, data = ''] of text.matchAll(
            /<script type="application\/ld\+json">([^<]*)<\/script>/g,
          ))
            JSON.parse(data);
        } else if (path.endsWith('.ics')) expectCalendar(text, record);
        else if (path.endsWith('.csv')) expectTable(text, record);
        else if (path.endsWith('.xml')) {
          const feed = XmlDocument.fromString(text);
          expect(elementsOf(text)).toEqual(elementsOf(plain));
          feed.dispose();
        } else if (/\.(md|txt)$/.test(path))
          expect([path, text.split('\n').length]).toEqual([path, plain.split('\n').length]);
        else if (/\.(json|webmanifest)$/.test(path)) JSON.parse(text);
      }
    }),
    { numRuns: 25 },
  );
});
