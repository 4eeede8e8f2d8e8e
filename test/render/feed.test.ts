import { parseAtomFeed } from 'feedsmith';
import { RelaxNGValidator, XmlDocument } from 'libxml2-wasm';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Parser from 'rss-parser';
import { expect, test } from 'vitest';
import type { ChangeRecord } from '../../src/api/documents.ts';
import { renderFeed, type ScopeChanges } from '../../src/render/feed.ts';

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
const subject = { id: 'severance', name: 'Severance' };
const premiere = { id: 'drama-tv/severance/premiere', subject, genre: 'drama-tv', category: 'tv' };

/** A change of each kind, with texts that XML must escape or cannot contain. */
const changes: ChangeRecord[] = [
  {
    ...premiere,
    at,
    kind: 'added',
    title: 'A & B <i>"C"</i> \ufffe',
    before: null,
    after: { date: '2027-01-15', time_known: false },
  },
  {
    ...premiere,
    at,
    kind: 'moved',
    title: 'Premiere',
    before: { starts_at: '2027-01-15T20:00:00.000Z', time_known: true, date: '2027-01-15' },
    after: { starts_at: '2027-01-16T20:30:00.000Z', time_known: true, date: '2027-01-16' },
  },
  {
    ...premiere,
    at,
    kind: 'dated',
    title: 'Severance returns',
    before: { period: '2027-Q2' },
    after: { date: '2027-04-01', time_known: false },
  },
  {
    ...premiere,
    at,
    kind: 'changed',
    title: 'Premiere',
    before: { url: null },
    after: { url: 'https://example.org/?a=1&b=2' },
  },
  {
    ...premiere,
    at,
    kind: 'cancelled',
    title: 'Premiere',
    before: { date: '2027-01-15', time_known: false },
    after: null,
  },
  {
    ...premiere,
    at,
    kind: 'removed',
    title: 'Premiere',
    before: { date: '2027-01-15', time_known: false },
    after: null,
  },
].map(
  (change, index) => ({ ...change, at: new Date(Date.parse(at) - index * 86_400_000).toISOString() }) as ChangeRecord,
);

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

test.each([
  ['every kind of change', changes],
  ['none', []],
])('a feed of %s is Atom', (_, some) => {
  validate(renderFeed({ ...head, changes: some }));
  expect(() => validate(renderFeed({ ...head, changes: some }).replace(/<updated>.*?<\/updated>/, ''))).toThrow();
});

test('two readers of feeds find the same entries in it', async () => {
  const feed = renderFeed({ ...head, changes });
  const titles = [
    'New: Severance: A & B <i>"C"</i> ',
    'Moved: Severance: Premiere',
    'Dated: Severance returns',
    'Changed: Severance: Premiere',
    'Cancelled: Severance: Premiere',
    'Removed: Severance: Premiere',
  ];
  const contents = [
    '2027-01-15',
    '2027-01-15 20:00 UTC → 2027-01-16 20:30 UTC',
    '2027-Q2 → 2027-04-01',
    'Changed: url',
    '2027-01-15',
    '2027-01-15',
  ];
  const one = await new Parser().parseString(feed);
  expect(one.title).toBe(head.title);
  expect(one.items.map(({ title }) => title?.trim())).toEqual(titles.map((title) => title.trim()));
  expect(one.items.map(({ content }) => content)).toEqual(contents);
  expect(one.items[3]?.link).toBe('https://example.org/?a=1&b=2');
  const other = parseAtomFeed(feed);
  expect(other.title?.value).toBe(head.title);
  expect(other.entries?.map(({ title }) => title?.value?.trim())).toEqual(titles.map((title) => title.trim()));
  expect(other.entries?.map(({ updated }) => updated)).toEqual(changes.map((change) => change.at));
  expect(new Set(other.entries?.map(({ id }) => id)).size).toBe(changes.length);
});

test('ids carry the authority, and a feed without entries is as old as its log', () => {
  const feed = renderFeed({ ...head, changes });
  expect(feed).toContain('<id>tag:events.example.org,2026:api/v1/genre/drama-tv/feed.xml</id>');
  expect(feed).toContain(`<id>tag:events.example.org,2026-11-01:${premiere.id}@${at}</id>`);
  expect(feed).toContain(
    '<link rel="self" type="application/atom+xml" href="https://example.org/almanac/api/v1/genre/drama-tv/feed.xml"/>',
  );
  const updated = (since: string): string | undefined =>
    /<updated>(.*?)</.exec(renderFeed({ ...head, since, changes: [] }))?.[1];
  expect(updated(head.since)).toBe(head.since);
});

test('an entry leads to the page of its subject or, without that page, to that of the event or the home page', async () => {
  const linksOf = async (hasFile: ScopeChanges['hasFile']) => {
    const { items } = await new Parser().parseString(renderFeed({ ...head, hasFile, changes }));
    return new Set(items.map(({ link }) => link));
  };
  const hasPage = (path: string): boolean => path === 'genre/drama-tv/severance/index.html';
  expect(await linksOf(hasPage)).toEqual(new Set([`${head.baseUrl}/genre/drama-tv/severance/#premiere`]));
  expect(await linksOf(() => false)).toEqual(new Set(['https://example.org/?a=1&b=2', `${head.baseUrl}/`]));
});

test('an entry whose end alone moved says both ends', () => {
  const timed = { date: '2027-02-01', time_known: true, precision: 'minute' };
  const [nine, ten] = ['2027-02-01T21:00:00.000Z', '2027-02-01T22:00:00.000Z'];
  const range = { date: '2027-02-01', time_known: false, precision: 'day' };
  const contentOf = (before: object, after: object): string | undefined =>
    parseAtomFeed(
      renderFeed({
        ...head,
        changes: [{ ...premiere, at, kind: 'moved', title: 'Party', before, after } as ChangeRecord],
      }),
    ).entries?.[0]?.content?.value;
  expect(contentOf({ ends_at: nine, ...timed }, { ends_at: ten, ...timed })).toBe(
    'Ends: 2027-02-01 21:00 UTC → 2027-02-01 22:00 UTC',
  );
  expect(contentOf({ ends_at: null, ...timed }, { ends_at: ten, ...timed })).toBe('Ends: 2027-02-01 22:00 UTC');
  expect(contentOf({ ends_at: nine, ...timed }, { ends_at: null, ...timed })).toBe(
    'Ends: 2027-02-01 21:00 UTC → not known',
  );
  const [third, fourth] = ['2027-02-03', '2027-02-04'];
  expect(
    contentOf(
      { ends_at: `${third}T00:00:00.000Z`, end_date: third, ...range },
      { ends_at: `${fourth}T00:00:00.000Z`, end_date: fourth, ...range },
    ),
  ).toBe('Ends: 2027-02-03 → 2027-02-04');
});

test('the title of an entry is that of the calendar entry: a part of a word is not the name of the subject', () => {
  const titleOf = (title: string, name: string): string | undefined =>
    parseAtomFeed(
      renderFeed({ ...head, changes: [{ ...(changes[0] as ChangeRecord), title, subject: { id: 'ran', name } }] }),
    ).entries?.[0]?.title?.value;
  expect(titleOf('Ranch day', 'Ran')).toBe('New: Ran: Ranch day');
  expect(titleOf('RAN returns', 'Ran')).toBe('New: RAN returns');
});

test('an entry says times in the zone of the event', () => {
  const time = { time_known: true, precision: 'minute', zone: 'America/New_York' };
  const before = { starts_at: '2027-01-16T01:00:00.000Z', date: '2027-01-15', ...time };
  const after = { starts_at: '2027-07-16T01:00:30.000Z', date: '2027-07-15', ...time };
  const moved = changes.find(({ kind }) => kind === 'moved');
  const feed = renderFeed({ ...head, changes: [{ ...(moved as ChangeRecord), before, after }] });
  expect(parseAtomFeed(feed).entries?.[0]?.content?.value).toBe(
    '2027-01-15 20:00 America/New_York → 2027-07-15 21:00:30 America/New_York',
  );
});

test('a feed has the newest 50 changes, and all of the newest build', () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    ...(changes[0] as ChangeRecord),
    id: `drama-tv/severance/e${index}`,
  }));
  expect(parseAtomFeed(renderFeed({ ...head, changes: many })).entries).toHaveLength(60);
  const [first, ...others] = many as [ChangeRecord, ...ChangeRecord[]];
  const newest = { ...first, at: '2026-11-21T12:17:00.000Z' };
  expect(parseAtomFeed(renderFeed({ ...head, changes: [newest, ...others] })).entries).toHaveLength(50);
});
