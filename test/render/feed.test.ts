import { parseAtomFeed } from 'feedsmith';
import { RelaxNGValidator, XmlDocument } from 'libxml2-wasm';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Parser from 'rss-parser';
import { expect, test } from 'vitest';
import type { ChangeRecord } from '../../src/api/documents.ts';
import { renderFeed, type ScopeChanges } from '../../src/render/feed.ts';
import { readSections } from '../setup/sections.ts';

/** The feeds of a golden site, with a change of each kind. */
const golden = [
  ...readSections(join(import.meta.dirname, '../fixtures/valid/every-format/expected.txt')),
]
  .filter(([path]) => path.endsWith('feed.xml'))
  .map(([, text]) => text);

const head: Omit<ScopeChanges, 'changes'> = {
  filters: { genre: 'drama-tv' },
  title: 'Films & shows <new>',
  service: 'Almanac',
  baseUrl: 'https://example.org/almanac',
  authority: 'events.example.org',
  since: '2026-11-01T12:17:00.000Z',
  hasFile: () => false,
};
const at = '2026-11-20T12:17:00.000Z';
const change: ChangeRecord = {
  id: 'drama-tv/severance/premiere',
  subject: { id: 'severance', name: 'Severance' },
  genre: 'drama-tv',
  category: 'tv',
  at,
  kind: 'moved',
  title: 'Premiere',
  before: null,
  after: { date: '2027-01-15', time_known: false },
};

function feedOf(changes: readonly object[], more: Partial<ScopeChanges> = {}): string {
  return renderFeed({ ...head, ...more, changes: changes.map((one) => ({ ...change, ...one })) });
}

/** Returns the only entry of a feed with one change. */
function entryOf(one: object) {
  return parseAtomFeed(feedOf([one])).entries?.[0];
}

function validate(feed: string): void {
  const schema = XmlDocument.fromBuffer(readFileSync(join(import.meta.dirname, 'atom.rng')));
  const validator = RelaxNGValidator.fromDoc(schema);
  const document = XmlDocument.fromString(feed);
  try {
    validator.validate(document);
  } finally {
    document.dispose();
    validator.dispose();
    schema.dispose();
  }
}

test('every feed of a site is Atom, and two readers find the same entries in it', async () => {
  expect(golden.length).toBeGreaterThan(5);
  for (const feed of golden) {
    validate(feed);
    expect(() => validate(feed.replace(/<updated>.*?<\/updated>/, ''))).toThrow();
    const [one, other] = [await new Parser().parseString(feed), parseAtomFeed(feed)];
    expect(one.items.map(({ title, content, link }) => [title, content, link])).toEqual(
      (other.entries ?? []).map(({ title, content, links }) => [
        title?.value,
        content?.value,
        links?.[0]?.href,
      ]),
    );
    const ids = other.entries?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('a feed has no character that XML forbids, and one without entries is as old as its log', () => {
  const feed = feedOf([{ title: 'A & B <i> \ufffe' }]);
  validate(feed);
  expect(feed).toContain('A &#38; B &#60;i&#62; <');
  expect(/<updated>(.*?)</.exec(feedOf([]))?.[1]).toBe(head.since);
});

test('an entry leads to the page of its subject or, without that page, to that of the event or the home page', () => {
  const linkOf = (one: object, hasFile: ScopeChanges['hasFile']) =>
    parseAtomFeed(feedOf([one], { hasFile })).entries?.[0]?.links?.[0]?.href;
  const url = 'https://example.org/?a=1&b=2';
  const hasPage = (path: string): boolean => path === 'genre/drama-tv/severance/index.html';
  expect(linkOf({}, hasPage)).toBe(`${head.baseUrl}/genre/drama-tv/severance/#premiere`);
  expect(linkOf({ after: { url } }, () => false)).toBe(url);
  expect(linkOf({ before: { url }, after: null }, () => false)).toBe(url);
  expect(linkOf({}, () => false)).toBe(`${head.baseUrl}/`);
});

const timed = { date: '2027-02-01', time_known: true, precision: 'minute' };
const range = { date: '2027-02-01', time_known: false, precision: 'day' };
const inNewYork = { time_known: true, zone: 'America/New_York' };
const [nine, ten] = ['2027-02-01T21:00:00.000Z', '2027-02-01T22:00:00.000Z'];

test.each<[object, object, string]>([
  [
    { ends_at: nine, ...timed },
    { ends_at: ten, ...timed },
    'Ends: 2027-02-01 21:00 UTC → 2027-02-01 22:00 UTC',
  ],
  [{ ends_at: null, ...timed }, { ends_at: ten, ...timed }, 'Ends: 2027-02-01 22:00 UTC'],
  [
    { ends_at: nine, ...timed },
    { ends_at: null, ...timed },
    'Ends: 2027-02-01 21:00 UTC → not known',
  ],
  [
    { ends_at: '2027-02-03T00:00:00.000Z', end_date: '2027-02-03', ...range },
    { ends_at: '2027-02-04T00:00:00.000Z', end_date: '2027-02-04', ...range },
    'Ends: 2027-02-03 → 2027-02-04',
  ],
  [
    { starts_at: '2027-01-16T01:00:00.000Z', ...inNewYork },
    { starts_at: '2027-07-16T01:00:30.000Z', ...inNewYork },
    '2027-01-15 20:00 America/New_York → 2027-07-15 21:00:30 America/New_York',
  ],
])(
  'an entry says which time changed, in the zone of the event: from %j to %j',
  (before, after, content) => {
    expect(entryOf({ before, after })?.content?.value).toBe(content);
  },
);

test.each([
  ['Ranch day', 'New: Ran: Ranch day'],
  ['RAN returns', 'New: RAN returns'],
])('%s has the title %s: a part of a word is not the name of the subject', (title, expected) => {
  const entry = entryOf({ kind: 'added', title, subject: { id: 'ran', name: 'Ran' } });
  expect(entry?.title?.value).toBe(expected);
});

test('a feed has the newest 50 changes, and all of the newest build', () => {
  const many = Array.from({ length: 60 }, (_, index) => ({ id: `drama-tv/severance/e${index}` }));
  expect(parseAtomFeed(feedOf(many)).entries).toHaveLength(60);
  const newest = { at: '2026-11-21T12:17:00.000Z' };
  expect(parseAtomFeed(feedOf([newest, ...many.slice(1)])).entries).toHaveLength(50);
});
