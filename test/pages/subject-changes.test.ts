import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSite, type Events } from '../setup/build-site.ts';
import { lastingFolder, writeTree } from '../setup/folders.ts';
import { plainText } from './list.ts';

const firstNight = '2026-11-19T12:00:00Z';
const secondNight = '2026-11-20T12:00:00Z';
const thirdNight = '2026-11-21T12:00:00Z';
const inNewYork = (starts: string): object => ({ starts, zone: 'America/New_York' });

const before: Events = {
  'tv/drama/show': {
    Premiere: '2027-01-20',
    Party: inNewYork('2027-03-10T20:00'),
    Talk: inNewYork('2027-04-01T20:00'),
    Refined: '2027-05-01',
    Gala: '2027-05-02',
    Former: '2027-05-03',
    Sequel: '2027-Q3',
    Fair: { starts: '2027-06-01', ends: '2027-06-03' },
    Same: '2027-07-01',
  },
  'film/comedy/hacks': { Opening: '2027-02-01' },
};

const after: Events = {
  'tv/drama/show': {
    Premiere: '2027-02-03',
    // Daylight saving time begins on 14 March.
    Party: inNewYork('2027-03-20T20:00'),
    Talk: inNewYork('2027-04-01T21:30'),
    Refined: inNewYork('2027-05-01T20:00'),
    Gala: { starts: '2027-05-02', cancelled: true },
    Latter: '2027-05-03',
    Sequel: '2027-08-15',
    Fair: { starts: '2027-06-01', ends: '2027-06-04' },
    Same: { starts: '2027-07-01', description: 'Now with a description.' },
  },
  'film/comedy/hacks': { Opening: '2027-02-01', Closing: '2027-02-05' },
};

const folders = { cwd: lastingFolder(), source: lastingFolder() };
const continued = { ...folders, args: ['--against', 'first', '--accept-loss'] };
await buildSite(before, firstNight, { ...folders, out: 'first' });
const site = await buildSite(after, secondNight, { ...continued, out: 'second' });

interface Item {
  readonly name: string;
  readonly eventStatus: string;
  readonly previousStartDate?: string;
}

/** Returns the page of a subject, its structured data, and the text of each row about changes. */
function subjectOf(folder: string, path = 'genre/drama-tv/show') {
  const page = readFileSync(join(folder, path, 'index.html'), 'utf8');
  const [, json = ''] = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(page) ?? [];
  const { '@graph': items } = JSON.parse(json) as { readonly '@graph': readonly Item[] };
  const [section = ''] = /<section class="status log">[^]*?<\/section>/.exec(page) ?? [];
  const rows = [...section.matchAll(/<li [^]*?<\/li>/g)].map(([row]) =>
    plainText(row).replaceAll(' ,', ','),
  );
  const events = new Map(items.map((item) => [item.name, item]));
  return { page, events, section, rows };
}

const scheduled = 'https://schema.org/EventScheduled';

test('the structured data say what was moved, with its former date, and what is cancelled', () => {
  const { events } = subjectOf(site);
  const moved = {
    eventStatus: 'https://schema.org/EventRescheduled',
    previousStartDate: '2027-01-20',
  };
  expect(events.get('show: Premiere')).toMatchObject(moved);
  expect(events.get('show: Same')?.eventStatus).toBe(scheduled);
  expect(events.get('show: Gala')?.eventStatus).toBe('https://schema.org/EventCancelled');
});

test('the row of an event that was moved has its former date', () => {
  const { page } = subjectOf(site);
  expect(page).toContain('New date <s>Jan 20, 2027</s>');
  expect(page.match(/New date <s>/g)).toHaveLength(4);
});

test('the page of a subject says what changed, from when to when, and when that was seen', () => {
  const { rows, section } = subjectOf(site);
  expect(rows).toEqual([
    'Nov 20, 2026 New date Premiere January 20, 2027 → February 3, 2027',
    'Nov 20, 2026 New date Party March 10, 2027 → March 20, 2027',
    'Nov 20, 2026 New date Talk April 1, 2027, 20:00 America/New_York → April 1, 2027, 21:30 America/New_York',
    'Nov 20, 2026 New date Refined May 1, 2027 → May 1, 2027, 20:00 America/New_York',
    'Nov 20, 2026 Cancelled Gala May 2, 2027',
  ]);
  expect(section).toContain('href="../../../changes/"');
});

test('it leaves out what was only added', () => {
  const { section, page } = subjectOf(site, 'genre/comedy-film/hacks');
  expect(page).toContain('Closing');
  expect(section).toBe('');
});

test('a period, an end and a former title show as they are', async () => {
  const few = (subject: object): Events => ({ 'tv/drama/show': subject as Events[string] });
  const { Former, Sequel, Fair } = before['tv/drama/show'] as Record<string, object>;
  const { Latter, ...later } = after['tv/drama/show'] as Record<string, object>;
  const own = { cwd: lastingFolder(), source: lastingFolder() };
  await buildSite(few({ Former, Sequel, Fair }), firstNight, own);
  const next = few({ Latter, Sequel: later['Sequel'], Fair: later['Fair'] });
  const { rows } = subjectOf(
    await buildSite(next, secondNight, { ...own, args: ['--accept-loss'] }),
  );
  expect(rows).toEqual([
    'Nov 20, 2026 Changed Latter Former May 3, 2027',
    'Nov 20, 2026 New date Fair until June 3, 2027 → June 4, 2027',
    'Nov 20, 2026 Dated Sequel Q3 2027 → August 15, 2027',
  ]);
});

test('an end that is gone leaves no date, which would be taken for that of the event', async () => {
  const fair = (event: object): Events => ({ 'tv/drama/show': { Fair: event } });
  const own = { cwd: lastingFolder(), source: lastingFolder() };
  await buildSite(fair({ starts: '2027-06-01', ends: '2027-06-03' }), firstNight, own);
  const { rows } = subjectOf(await buildSite(fair({ starts: '2027-06-01' }), secondNight, own));
  expect(rows).toEqual(['Nov 20, 2026 New date Fair']);
});

test('builds that see no change keep what the log says, and the newest move counts', async () => {
  const again = { ...folders, args: ['--against', 'second', '--accept-loss'], out: 'third' };
  expect(subjectOf(await buildSite(after, thirdNight, again)).rows).toEqual(subjectOf(site).rows);
  const moved = {
    ...after,
    'tv/drama/show': { ...after['tv/drama/show'], Premiere: '2027-02-10' },
  };
  const { rows, page } = subjectOf(await buildSite(moved, thirdNight, again));
  expect(rows[0]).toBe('Nov 21, 2026 New date Premiere February 3, 2027 → February 10, 2027');
  expect(rows[1]).toBe('Nov 20, 2026 New date Premiere January 20, 2027 → February 3, 2027');
  expect(page).toContain('New date <s>Feb 3, 2027</s>');
  expect(page).not.toContain('New date <s>Jan 20, 2027</s>');
});

// Its entries are continued as far as they are valid: one has a former date.
test('a log that another program wrote breaks no page', async () => {
  const { cwd } = folders;
  const id = 'drama-tv/show/premiere';
  const entry = { at: '2026-11-18T00:00:00.000Z', kind: 'moved', id, title: 'Premiere' };
  const ofShow = {
    ...entry,
    subject: { id: 'show', name: 'show' },
    genre: 'drama-tv',
    category: 'tv',
    after: {},
  };
  const fields = [
    { starts_at: '2026-12-24T00:00:00.000Z', date: '2026-12-24' },
    { starts_at: '2026-12-24T00:00:00.000Z', date: 5, precision: 'day' },
    { starts_at: 7, date: '2026-12-24', precision: 'day' },
    { period: '2027-99-99' },
    { starts_at: '2026-12-24T00:00:00.000Z', date: '2026-12-24', precision: 'week', zone: 3 },
  ];
  const document = {
    since: null,
    changes: fields.map((one, n) => ({
      ...ofShow,
      at: `2026-11-1${n}T00:00:00.000Z`,
      before: one,
    })),
  };
  writeTree(join(cwd, 'first/api/v1'), { 'changes.json': document });
  const { events, rows } = subjectOf(
    await buildSite(before, secondNight, { ...continued, out: 'foreign' }),
  );
  expect(events.get('show: Premiere')?.eventStatus).toBe('https://schema.org/EventRescheduled');
  expect(rows).toHaveLength(fields.length);
  expect(rows.join('\n')).not.toMatch(/NaN|undefined|Invalid|null/);
});
