import * as fc from 'fast-check';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ClientError,
  createClient,
  isUpcoming,
  type ClientOptions,
} from '../../src/client/index.ts';
import { lastingFolder } from '../setup/folders.ts';
import { listen, plainHost, sendForever, type Listening } from '../setup/host.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const now = Date.parse('2026-11-20T12:17:00Z');
let host: Listening;
let seen: { url: string; status: number; headers: IncomingMessage['headers'] }[] = [];

beforeAll(async () => {
  const cwd = lastingFolder();
  const data = join(import.meta.dirname, '../fixtures/client/data');
  const given = ['--now', '2026-11-20T12:17:00Z', '--base-url', 'https://example.org/almanac'];
  const run = await runAlmanac(['build', '--data', data, ...given], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const plain = plainHost(join(cwd, 'dist'));
  host = await listen((request, response) => {
    response.on('finish', () =>
      seen.push({ url: request.url ?? '', status: response.statusCode, headers: request.headers }),
    );
    plain(request, response);
  });
});
afterAll(async () => host.close());
beforeEach(() => void (seen = []));

function client(options: Partial<ClientOptions> = {}) {
  const rest = { now: () => now, sleep: async () => {}, timeout: Infinity, onStale: () => {} };
  return createClient({ baseUrl: host.url, ...rest, ...options });
}

describe('against a plain host', () => {
  test('categories, genres and the index', async () => {
    const { categories } = await client().categories();
    expect(categories.map(({ id, genres, upcoming }) => [id, genres, upcoming])).toEqual([
      ['space', 1, 1],
      ['tv', 2, 4],
    ]);
    const all = await client().genres();
    expect(all.genres.map(({ id }) => id)).toEqual(['comedy-tv', 'drama-tv', 'eclipses-space']);
    const ofTv = await client().genres({ category: 'tv' });
    expect(ofTv).toEqual({
      filters: { category: 'tv' },
      genres: all.genres.filter(({ category }) => category === 'tv'),
    });
    const index = await client().index();
    expect(index.version).toBe(1);
    expect(index.catalogue).toMatchObject({ categories: 2, genres: 3, subjects: 3, upcoming: 5 });
  });

  test('every list that there is has its document', async () => {
    const { lists } = await client().lists();
    expect(lists.map(({ kind }) => kind)).toContain('month');
    for (const { kind, id, upcoming } of lists) {
      const { filters, total, events } = await client().list(kind, id);
      expect(filters).toEqual({ genre: null, category: null, [kind]: id });
      expect([total, events.length]).toEqual([upcoming, upcoming]);
    }
    await expect(client().list('month', '1999-01')).rejects.toMatchObject({ code: 'not-found' });
    for (const id of ['', '..', 'TV', 'a/b']) {
      await expect(client().list('tag', id)).rejects.toMatchObject({ code: 'not-found' });
    }
  });

  test('every filter has its document, and an empty filter means none', async () => {
    const { events } = await client().events();
    expect(events).toHaveLength(5);
    for (const category of ['', null, undefined, 'tv', 'space']) {
      for (const genre of ['', null, undefined, 'drama-tv', 'comedy-tv', 'eclipses-space']) {
        const answer = await client().events({ category, genre });
        expect(answer.filters).toEqual({ genre: genre || null, category: category || null });
        expect(answer.events).toEqual(
          events.filter(
            (event) =>
              (!category || event.category === category) && (!genre || event.genre === genre),
          ),
        );
        expect(answer.total).toBe(answer.events.length);
      }
    }
  });

  test('limit returns the soonest events and keeps the total; above 200 it means 200', async () => {
    const all = await client().events();
    for (const limit of [1, 2, 5, 6, 200, 201, 1e300]) {
      const answer = await client().events({ limit });
      expect(answer).toEqual({
        ...all,
        limit: Math.min(limit, 200),
        events: all.events.slice(0, limit),
      });
    }
    expect(seen.every(({ url }) => url === '/api/v1/events.json')).toBe(true);
  });

  test('a limit that is not a whole number from 1 is refused before anything is sent', async () => {
    for (const limit of [0, -1, 1.5, Number.NaN, Infinity, '5' as unknown as number]) {
      await expect(client().events({ limit })).rejects.toMatchObject({
        name: 'ClientError',
        code: 'invalid-question',
      });
    }
    expect(seen).toEqual([]);
  });

  test('an unknown id is not found, and a value that is not an id is not sent', async () => {
    await expect(client().events({ genre: 'nothing-tv' })).rejects.toMatchObject({
      code: 'not-found',
      status: 404,
      url: `${host.url}/api/v1/genre/nothing-tv/events.json`,
    });
    seen = [];
    const strange = fc.string().filter((id) => id !== '' && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(strange, fc.constantFrom('TV', '../x', '%00', 'a/b', '..')),
        async (id) => {
          await expect(client().genres({ category: id })).rejects.toMatchObject({
            code: 'not-found',
          });
          await expect(client().events({ genre: id })).rejects.toMatchObject({ code: 'not-found' });
        },
      ),
    );
    expect(seen).toEqual([]);
  });

  test('events that expired since the build are dropped and not counted, at any time', async () => {
    const all = await client().events();
    const times = all.events.flatMap(({ upcoming_until: until }) =>
      [-1, 0, 1].map((by) => Date.parse(until) + by),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constantFrom(...times), fc.integer({ min: now, max: now + 3e10 })),
        fc.integer({ min: 1, max: 7 }),
        async (later, limit) => {
          const answer = await client({ now: () => later }).events({ limit });
          const upcoming = all.events.filter((event) => isUpcoming(event, new Date(later)));
          expect(answer.events).toEqual(upcoming.slice(0, limit));
          expect(answer.total).toBe(upcoming.length);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a cancelled event is not upcoming', () => {
    const event = {
      status: 'confirmed',
      upcoming_until: '2027-01-15T21:00:00.000Z',
      over_at: null,
    } as const;
    const isUpcomingAt = (status: 'confirmed' | 'cancelled', at: string): boolean =>
      isUpcoming({ ...event, status }, new Date(at));
    expect(isUpcomingAt('confirmed', '2027-01-15T20:59:59.999Z')).toBe(true);
    expect(isUpcomingAt('confirmed', event.upcoming_until)).toBe(false);
    expect(isUpcomingAt('cancelled', '2027-01-15T20:59:59.999Z')).toBe(false);
  });

  test('sends no header that causes a preflight request', async () => {
    const fetched = vi.fn<typeof fetch>(fetch);
    await client({ fetch: fetched }).events();
    expect(fetched.mock.calls.map(([, init]) => init?.headers)).toEqual([undefined]);
  });

  test('the base URL may end with a slash, and may be a URL object', async () => {
    expect(await client({ baseUrl: `${host.url}/` }).categories()).toEqual(
      await client().categories(),
    );
    expect(await client({ baseUrl: new URL(host.url) }).categories()).toEqual(
      await client().categories(),
    );
  });

  test('reports a stale catalogue', async () => {
    const stale: [number, string][] = [];
    const day = 24 * 60 * 60 * 1000;
    for (const age of [0, 2 * day, 2 * day + 1, 3 * day]) {
      await client({ now: () => now + age, onStale: (...heard) => stale.push(heard) }).index();
    }
    await client({
      now: () => now + 11,
      staleAfter: 10,
      onStale: (...heard) => stale.push(heard),
    }).index();
    const lastSync = '2026-11-20T12:17:00.000Z';
    expect(stale).toEqual([
      [2 * day + 1, lastSync],
      [3 * day, lastSync],
      [11, lastSync],
    ]);
  });
});

type Fetch = NonNullable<ClientOptions['fetch']>;

/**
 * A client whose requests get these answers in turn, the last one again and again, and its pauses.
 */
function answered(turns: readonly Fetch[], options: Partial<ClientOptions> = {}) {
  const pauses: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => void pauses.push(milliseconds);
  let turn = 0;
  const fetch: Fetch = async (...asked) =>
    turns[Math.min(turn++, turns.length - 1)]?.(...asked) ?? Response.error();
  return { asking: client({ fetch, sleep, ...options }), pauses };
}

const answers = (status: number, body: unknown) => async (): Promise<Response> =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
const hangsUp = async (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));
const breaksOff = async (): Promise<Response> => {
  const start = (body: ReadableStreamDefaultController): void => {
    body.enqueue(Buffer.from('{"categories":'));
    body.error(new TypeError('terminated'));
  };
  return new Response(new ReadableStream({ start }));
};
const good = answers(200, { categories: [] });

/** A request that ends only with its signal. */
const neverAnswered: Fetch = async (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
  });

describe('a server that misbehaves', () => {
  test.each([
    ['answers 503', answers(503, 'busy')],
    ['answers 500 with JSON', answers(500, { detail: 'broken' })],
    ['hangs up', hangsUp],
    ['breaks off', breaksOff],
  ])('%s, then recovers: the pauses grow', async (_, bad) => {
    const { asking, pauses } = answered([bad, bad, good]);
    expect(await asking.categories()).toEqual({ categories: [] });
    expect(pauses).toHaveLength(2);
    const [first = 0, second = 0] = pauses;
    expect(first).toBeGreaterThanOrEqual(250);
    expect(first).toBeLessThan(500);
    expect(second).toBeGreaterThanOrEqual(500);
    expect(second).toBeLessThan(1000);
  });

  test('is given up after the last retry, with the reason', async () => {
    const { asking, pauses } = answered([answers(502, 'bad')]);
    await expect(asking.categories()).rejects.toMatchObject({ code: 'http', status: 502 });
    expect(pauses).toHaveLength(2);
    const dead = answered([hangsUp], { retries: 0 });
    await expect(dead.asking.categories()).rejects.toMatchObject({ code: 'network', status: null });
    await expect(dead.asking.categories()).rejects.toBeInstanceOf(ClientError);
    expect(dead.pauses).toEqual([]);
  });

  test.each([400, 403, 404, 410, 429])('is not asked again after %i', async (status) => {
    const { asking, pauses } = answered([answers(status, { detail: 'what was asked' })]);
    const code = status === 404 ? 'not-found' : 'http';
    const message = expect.stringContaining('what was asked');
    await expect(asking.events()).rejects.toMatchObject({ code, status, message });
    expect(pauses).toEqual([]);
  });

  test('never answers: the client retries after a timeout', async () => {
    const { asking, pauses } = answered([neverAnswered, good], { timeout: 20 });
    expect(await asking.categories()).toEqual({ categories: [] });
    expect(pauses).toHaveLength(1);
    const { asking: waiting } = answered([neverAnswered], { timeout: 20, retries: 0 });
    await expect(waiting.categories()).rejects.toMatchObject({ code: 'timeout' });
  });

  test.each([Infinity, Number.MAX_SAFE_INTEGER, 2 ** 31, 59_999.5])(
    'accepts a timeout of %d ms',
    async (timeout) => {
      expect(await answered([good], { timeout }).asking.categories()).toEqual({ categories: [] });
    },
  );

  test.each<[Partial<ClientOptions>, string]>([
    [{ timeout: Number.NaN }, 'timeout is NaN; it must be milliseconds above 0, or Infinity'],
    [{ timeout: 0 }, 'timeout is 0; it'],
    [{ timeout: -1 }, 'timeout is -1; it'],
    [{ retries: Number.NaN }, 'retries is NaN; it must be a number from 0'],
    [{ retries: -1 }, 'retries is -1; it'],
  ])('createClient refuses %j', (options, message) => {
    expect(() => client(options)).toThrow(new RegExp(`^${message}`));
  });

  test('an abort rejects with its own reason: before, during an attempt and in a pause', async () => {
    const reason = new Error('no longer wanted');
    const { asking: before } = answered([good]);
    await expect(before.categories({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const during = new AbortController();
    const { asking, pauses } = answered([
      async (...asked) => {
        setImmediate(() => during.abort(reason));
        return neverAnswered(...asked);
      },
    ]);
    await expect(asking.events({ signal: during.signal })).rejects.toBe(reason);
    expect(pauses).toEqual([]);
    const pausing = new AbortController();
    const busy: Fetch = async () => {
      setTimeout(() => pausing.abort(reason));
      return new Response('busy', { status: 503 });
    };
    const { asking: waiting } = answered([busy], { sleep: undefined });
    await expect(waiting.genres({ signal: pausing.signal })).rejects.toBe(reason);
  });

  const list = { filters: { genre: null, category: null }, limit: 200, total: 0, events: [] };
  const asked = { ...list, filters: { genre: 'drama-tv', category: 'tv' } };
  test.each<[string, unknown]>([
    ['the unfiltered list', list],
    ['the list of another genre', { ...list, filters: { genre: 'other-tv', category: 'tv' } }],
    ['the list of one filter of two', { ...list, filters: { genre: 'drama-tv', category: null } }],
    ['no filters', { ...list, filters: undefined }],
    ['no events', { ...asked, events: undefined }],
    [
      'an index of another version',
      { version: 2, catalogue: { last_sync: '2026-11-20T12:17:00.000Z' } },
    ],
    ['a list', []],
    ['null', null],
    ['a page', '<!doctype html>'],
  ])('an answer that does not fit the question is an error: %s', async (_, body) => {
    const { asking } = answered([answers(200, body)]);
    const question = { genre: 'drama-tv', category: 'tv' };
    await expect(asking.events(question)).rejects.toMatchObject({ code: 'wrong-answer' });
    await expect(asking.genres({ category: 'tv' })).rejects.toMatchObject({ code: 'wrong-answer' });
    await expect(asking.subjects({ category: 'tv' })).rejects.toMatchObject({
      code: 'wrong-answer',
    });
    await expect(asking.categories()).rejects.toMatchObject({ code: 'wrong-answer' });
    await expect(asking.index()).rejects.toMatchObject({ code: 'wrong-answer' });
  });

  test('an endless answer ends with the timeout, and is not read on', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const server = await listen((_, response) => {
      closed = once(response, 'close');
      sendForever(response, Buffer.alloc(1024, ' '));
    });
    const asking = client({ baseUrl: server.url, timeout: 20, retries: 0 });
    await expect(asking.categories()).rejects.toMatchObject({ code: 'timeout' });
    await closed;
    await server.close();
  });

  test('reads an answer without a stream', async () => {
    const response = {
      ok: true,
      status: 200,
      headers: new Headers(),
      json: async () => ({ categories: [] }),
    };
    const asking = client({ fetch: async () => response as Response });
    expect(await asking.categories()).toEqual({ categories: [] });
  });
});
