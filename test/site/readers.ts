import { parseAtomFeed } from 'feedsmith';
import ICAL from 'ical.js';
import { expect } from 'vitest';
import type { ChangeRecord } from '../../src/api/documents.ts';
import { createClient } from '../../src/client/index.ts';

/*
 * Programs that read a site again and again and keep what they know. Each reading returns what is
 * new. Events are named by the last part of their id, which stays when their subject gets another
 * id.
 */
export type Reader = (now: number) => Promise<string[]>;

type Fields = Readonly<Record<string, unknown>>;

/** Follows the change log, and knows then what a program knows that fetches every event. */
export function follower(baseUrl: string): Reader {
  let time = 0;
  const client = createClient({ baseUrl, now: () => time });
  let known = new Map<string, Fields>();
  let seen = '';
  const fetchAll = async (): Promise<Map<string, Fields>> => {
    const records = new Map<string, Fields>();
    for await (const event of client.everything())
      if (event.state !== 'cancelled' && event.state !== 'over')
        records.set(nameOf(event.id), event);
    return records;
  };
  const learn = ({ kind, id, before, after }: ChangeRecord): void => {
    const name = nameOf(id);
    expect(known.has(name), `${kind} ${name}`).toBe(kind !== 'added');
    const old = Object.entries(known.get(name) ?? {}).filter(
      ([field]) => !(before && field in before),
    );
    if (after === null) known.delete(name);
    else known.set(name, { ...Object.fromEntries(old), ...after });
  };
  return async (now) => {
    time = now;
    const { since, changes } = await client.changes();
    const news = changes.filter(({ at }) => at > seen).toReversed();
    expect(news.every(({ at }) => at <= new Date(now).toISOString())).toBe(true);
    if (seen === '') known = await fetchAll();
    else for (const change of news) learn(change);
    seen = changes[0]?.at ?? String(since);
    const isOver = ({ over_at, upcoming_until }: Fields): boolean =>
      Date.parse(String(over_at ?? upcoming_until)) <= now;
    for (const [name, record] of known) if (isOver(record)) known.delete(name);
    expect(new Map([...known].map(([name, record]) => [name, shownOf(record)]))).toEqual(
      new Map([...(await fetchAll())].map(([name, record]) => [name, shownOf(record)])),
    );
    return news.map(({ kind, id }) => `${kind} ${nameOf(id)}`).toSorted();
  };
}

function shownOf({ title, date, starts_at, ends_at, period, location, url }: Fields): Fields {
  return { title, date, starts_at, ends_at, period, location, url };
}

/**
 * Reads the feed, and shows each entry once by its id. What the first reading finds is not news.
 */
export function feedReader(baseUrl: string): Reader {
  const shown = new Map<string, string>();
  let newest = '';
  return async () => {
    const isFirst = newest === '';
    const feed = parseAtomFeed(await textAt(`${baseUrl}/api/v1/feed.xml`));
    expect(String(feed.updated) >= newest).toBe(true);
    newest = String(feed.updated);
    const news: string[] = [];
    // An entry says the same for ever. Its link leads to the home page when the page of its subject
    // is gone.
    const textOf = (entry: object): string => JSON.stringify({ ...entry, links: [] });
    for (const entry of feed.entries ?? []) {
      const id = String(entry.id);
      if (!shown.has(id))
        news.push(`${entry.categories?.[0]?.term} ${/([\w-]+)@[^@]*$/.exec(id)?.[1]}`);
      else expect(textOf(entry)).toBe(shown.get(id));
      shown.set(id, textOf(entry));
    }
    return isFirst ? [] : news.toSorted();
  };
}

/** An entry of a calendar, as a program compares it with what it has. */
interface Entry {
  readonly uid: string;
  readonly sequence: number;
  readonly stamp: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Subscribes to the calendar, and takes over an entry that has a higher SEQUENCE or, with the same,
 * a later DTSTAMP.
 */
export function calendarReader(baseUrl: string): Reader {
  const known = new Map<string, Entry>();
  return async (now) => {
    const entries = entriesIn(await textAt(`${baseUrl}/api/v1/events.ics`));
    const news = entries.filter((entry) => isNewer(entry, known.get(entry.uid)));
    const names = entries.map(({ uid }) => nameOf(uid));
    expect(new Set(names).size).toBe(names.length);
    expect(
      [...known.values()].filter(({ uid, end }) => end <= now && !names.includes(nameOf(uid))),
    ).toEqual([]);
    for (const entry of entries) known.set(entry.uid, entry);
    return news.map(({ uid }) => nameOf(uid)).toSorted();
  };
}

function isNewer({ uid, sequence, stamp, text }: Entry, old: Entry | undefined): boolean {
  if (old === undefined) return true;
  expect(sequence, uid).toBeGreaterThanOrEqual(old.sequence);
  expect(stamp, uid).toBeGreaterThanOrEqual(old.stamp);
  const isLater = sequence > old.sequence || stamp > old.stamp;
  expect(text !== old.text, uid).toBe(isLater);
  return isLater;
}

function entriesIn(text: string): Entry[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    const stamp = component.getFirstPropertyValue('dtstamp') as ICAL.Time;
    return {
      uid: event.uid,
      sequence: event.sequence,
      stamp: stamp.toUnixTime(),
      end: event.endDate.toJSDate().getTime(),
      text: component.toString(),
    };
  });
}

/** Returns the last part of the id of an event, which may be that of a UID. */
function nameOf(id: string): string {
  return id.split('@')[0]?.split('/')[2] ?? '';
}

async function textAt(address: string): Promise<string> {
  return (await fetch(address)).text();
}
