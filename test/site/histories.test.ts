import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesDocument, EventRecord } from '../../src/api/documents.ts';
import { buildSite, type Events } from '../setup/build-site.ts';
import { tempFolder } from '../setup/folders.ts';

/*
 * Random histories of a catalogue. Each build knows only the site before it, and is compared with
 * an observer that knows every catalogue that there was.
 */
const day = 86_400_000;
const start = Date.UTC(2026, 10, 20, 12, 17);
const subjects = ['tv/drama/severance', 'tv/drama/andor', 'film/noir/laura'] as const;
const keys = subjects.flatMap((subject) => ['a', 'b', 'c'].map((title) => ({ subject, title })));

/** An event: the days from the first night to its date, or null while it is announced. */
interface Planned {
  readonly date: number | null;
  readonly isCancelled: boolean;
}

type Catalogue = ReadonlyMap<string, Planned>;

const planned = fc.record({
  date: fc.option(fc.integer({ min: -20, max: 40 }), { freq: 5 }),
  isCancelled: fc.boolean(),
});
const catalogue = fc
  .tuple(...keys.map(() => fc.option(planned, { freq: 4 })))
  .map(
    (events) =>
      new Map(events.flatMap((event, at) => (event === null ? [] : [[idAt(at), event] as const]))),
  );
const histories = fc.array(fc.record({ catalogue, pause: fc.integer({ min: 1, max: 15 }) }), {
  minLength: 2,
  maxLength: 5,
});

function idAt(at: number): string {
  const { subject, title } = keys[at] ?? { subject: '', title: '' };
  const [category, genre, name] = subject.split('/');
  return `${genre}-${category}/${name}/${title}`;
}

function dateOf(days: number): string {
  return new Date(start + days * day).toISOString().slice(0, 10);
}

/** The instant at which an event is over: a date is over everywhere at noon of the next day. */
function endOf({ date }: Planned): number {
  return date === null ? Infinity : Date.parse(`${dateOf(date + 1)}T12:00:00Z`);
}

function eventsOf(events: Catalogue): Events {
  return Object.fromEntries(
    subjects.map((subject, at) => {
      const titles = keys
        .slice(at * 3, at * 3 + 3)
        .map(({ title }, index) => [title, events.get(idAt(at * 3 + index))] as const);
      const written = titles.flatMap(([title, event]) =>
        event === undefined
          ? []
          : [
              [
                title,
                {
                  starts: event.date === null ? '2027-Q4' : dateOf(event.date),
                  cancelled: event.isCancelled,
                },
              ] as const,
            ],
      );
      return [subject, Object.fromEntries(written)];
    }),
  );
}

/**
 * What the observer expects of a site: the new entries of its log, its past, and when each record
 * changed.
 */
class Observer {
  #previous: Catalogue = new Map();
  #before = 0;
  /** The records that the site publishes. */
  #published = new Map<string, Planned & { readonly updatedAt: string | null }>();

  observe(next: Catalogue, now: number) {
    const isFirst = this.#before === 0;
    const changes = isFirst ? [] : keys.flatMap((_, at) => this.#changeOf(idAt(at), next, now));
    const published = new Map<string, Planned & { readonly updatedAt: string | null }>();
    for (const [id, event] of next) {
      if (event.isCancelled && endOf(event) <= now) continue;
      const known = this.#published.get(id);
      const isSame = known?.date === event.date && known.isCancelled === event.isCancelled;
      const updatedAt = isFirst ? null : isSame ? known.updatedAt : new Date(now).toISOString();
      published.set(id, { ...event, updatedAt });
    }
    // What was over before the source dropped it stays.
    for (const [id, event] of this.#published) {
      const isOver = !event.isCancelled && endOf(event) <= now;
      const isCancelled = next.get(id)?.isCancelled === true && endOf(next.get(id) ?? event) > now;
      if (isOver && !isCancelled && !published.has(id)) published.set(id, event);
    }
    [this.#previous, this.#before, this.#published] = [next, now, published];
    const over = [...published].filter(([, event]) => endOf(event) <= now).map(([id]) => id);
    const times = Array.from(published, ([id, { updatedAt }]) => [id, updatedAt] as const);
    return { changes: changes.toSorted(), over: over.toSorted(), times: Object.fromEntries(times) };
  }

  #changeOf(id: string, next: Catalogue, now: number): string[] {
    const isCurrent = (event: Planned | undefined, at: number): boolean =>
      event?.isCancelled === false && endOf(event) > at;
    const [before, after] = [this.#previous.get(id), next.get(id)];
    const wasCurrent = isCurrent(before, this.#before);
    const kind = before?.date === null ? 'dated' : 'moved';
    if (isCurrent(after, now)) {
      if (!wasCurrent) return [`added ${id}`];
      return before?.date === after?.date ? [] : [`${kind} ${id}`];
    }
    if (before === undefined || !wasCurrent) return [];
    if (after?.isCancelled === true && endOf(after) > now) return [`cancelled ${id}`];
    if (endOf(before) <= now) return [];
    // A date that is corrected to one that has passed is no removal.
    const isPast = after?.isCancelled === false && after.date !== null;
    return [`${isPast ? kind : 'removed'} ${id}`];
  }
}

/** Returns what the newest site says about its last night. */
function told(cwd: string, now: number) {
  const read = (path: string): string => readFileSync(join(cwd, 'dist/api/v1', path), 'utf8');
  const { changes } = JSON.parse(read('changes.json')) as ChangesDocument;
  const lines = read('events.ndjson').split('\n').filter(Boolean);
  const records = lines.map((line) => JSON.parse(line) as EventRecord & { readonly state: string });
  const seen = changes
    .filter(({ at }) => Date.parse(at) === now)
    .map(({ kind, id }) => `${kind} ${id}`);
  const over = records.filter(({ state }) => state === 'over').map(({ id }) => id);
  const times = records.map(({ id, updated_at: time }) => [id, time] as const);
  return { changes: seen.toSorted(), over: over.toSorted(), times: Object.fromEntries(times) };
}

test('each build of a random history says what an observer of all of them would say', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const [cwd, observer] = [tempFolder(), new Observer()];
      const service = { pages: 'home', formats: ['ndjson'] };
      let now = start;
      for (const night of history) {
        await buildSite(eventsOf(night.catalogue), new Date(now).toISOString(), { cwd, service });
        expect(told(cwd, now)).toEqual(observer.observe(night.catalogue, now));
        now += night.pause * day;
      }
    }),
    { numRuns: 20 },
  );
});
