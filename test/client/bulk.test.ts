import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClientError, createClient, type Client } from '../../src/client/index.ts';
import { buildSite } from '../setup/build-site.ts';
import { lastingFolder } from '../setup/folders.ts';
import { listen, plainHost, type Listening } from '../setup/host.ts';

const now = '2026-11-20T12:17:00Z';
const events = {
  'tv/daily/show': Object.fromEntries(
    Array.from({ length: 300 }, (_, day) => [
      `Day ${day}`,
      `${new Date(Date.UTC(2027, 0, 1 + day)).toISOString().slice(0, 10)}T20:00Z`,
    ]),
  ),
  'tv/fair/fair': {
    Fair: { starts: '2026-11-18', ends: '2026-11-22' },
    Concert: { starts: '2026-11-25T18:00Z', ends: '2026-11-25T20:00Z' },
    Reunion: '2028',
  },
  'film/noir/laura': { Release: '2027-06-01' },
};

let site: Listening;
beforeAll(async () => {
  const dist = await buildSite(events, now, { cwd: lastingFolder(), source: lastingFolder() });
  site = await listen(plainHost(dist));
});
afterAll(async () => site.close());

const settings = { retries: 1, sleep: async () => {} };

function clientAt(at = now, baseUrl = site.url): Client {
  return createClient({ ...settings, baseUrl, now: () => Date.parse(at) });
}

async function idsOf(all: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of all) ids.push(id);
  return ids;
}

describe('everything()', () => {
  test('reads every event in every state, beyond the cap of lists', async () => {
    const ids = await idsOf(clientAt().everything());
    expect(ids).toHaveLength(304);
    expect([ids[0], ids[299], ids[300], ids[303]]).toEqual([
      'daily-tv/show/day-0',
      'daily-tv/show/day-299',
      'fair-tv/fair/concert',
      'noir-film/laura/release',
    ]);
  });

  test('narrows by category and genre, and says the state of now', async () => {
    expect(await idsOf(clientAt().everything({ category: 'film' }))).toEqual([
      'noir-film/laura/release',
    ]);
    const fair = ['fair-tv/fair/concert', 'fair-tv/fair/fair', 'fair-tv/fair/reunion'];
    expect(await idsOf(clientAt().everything({ genre: 'fair-tv' }))).toEqual(fair);
    expect(await idsOf(clientAt().everything({ genre: 'fair-tv', category: 'film' }))).toEqual([]);
    for (const [at, state] of [
      [now, 'under_way'],
      ['2026-11-24T12:00:00Z', 'over'],
    ])
      for await (const { id, state: found } of clientAt(at).everything({ genre: 'fair-tv' }))
        if (id === 'fair-tv/fair/fair') expect(found).toBe(state);
  });

  test('may be stopped early', async () => {
    for await (const { id } of clientAt().everything()) {
      expect(id).toBe('daily-tv/show/day-0');
      break;
    }
  });

  test.each([
    [{ genre: 'no-such' }, 'not-found'],
    [{ genre: '../x' }, 'not-found'],
  ])('rejects %j as %s', async (question, code) => {
    await expect(idsOf(clientAt().everything(question))).rejects.toMatchObject({
      name: 'ClientError',
      code,
    });
  });

  test.each([
    ['a line that is no event', '{"id":1}\n', 'wrong-answer'],
    ['a line that is cut off', '{"id":"a-b/c/d","upcom', 'network'],
  ])('rejects an answer with %s', async (_, body, code) => {
    const fetch = async (): Promise<Response> => new Response(body);
    const client = createClient({ ...settings, baseUrl: site.url, fetch });
    await expect(idsOf(client.everything())).rejects.toMatchObject({ code });
  });

  test('joins a line that arrives in many pieces, however long the caller takes', async () => {
    const line = (
      await (await globalThis.fetch(`${site.url}/api/v1/genre/noir-film/events.ndjson`)).text()
    ).trim();
    const bytes = new TextEncoder().encode(`${line}\n${line}\n`);
    let at = 0;
    const pull = (body: ReadableStreamDefaultController): void =>
      at === bytes.length ? body.close() : body.enqueue(bytes.subarray(at, ++at));
    const fetch = async (): Promise<Response> => new Response(new ReadableStream({ pull }));
    const client = createClient({
      ...settings,
      baseUrl: site.url,
      fetch,
      now: () => Date.parse(now),
    });
    expect(await idsOf(client.everything())).toEqual([
      'noir-film/laura/release',
      'noir-film/laura/release',
    ]);
  });

  test('retries until the answer begins', async () => {
    let failures = 1;
    const fetch: typeof globalThis.fetch = async (input, init) =>
      failures-- > 0 ? new Response('', { status: 503 }) : globalThis.fetch(input, init);
    const client = createClient({
      ...settings,
      baseUrl: site.url,
      fetch,
      now: () => Date.parse(now),
    });
    expect(await idsOf(client.everything({ genre: 'noir-film' }))).toHaveLength(1);
  });

  test('obeys a signal, also while the answer arrives', async () => {
    const host = await listen((_, response) => response.write('{"id":'));
    const stop = new AbortController();
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await globalThis.fetch(input, init);
      setImmediate(() => stop.abort(new Error('enough')));
      return response;
    };
    const client = createClient({ ...settings, baseUrl: host.url, fetch });
    await expect(idsOf(client.everything({ signal: stop.signal }))).rejects.toThrow('enough');
    await expect(idsOf(client.everything({ signal: stop.signal }))).rejects.toThrow('enough');
    await host.close();
  });
});

test('now() has what has begun since the build and is not over, and next() does not', async () => {
  const idsAt = async (at: string): Promise<string[]> =>
    (await clientAt(at).now()).events.map(({ id }) => id);
  expect(await idsAt(now)).toEqual(['fair-tv/fair/fair']);
  expect(await idsAt('2026-11-25T19:00:00Z')).toEqual(['fair-tv/fair/concert']);
  expect(await clientAt('2026-11-25T20:00:00Z').now()).toMatchObject({ total: 0, events: [] });
  const next = await clientAt('2026-11-25T19:00:00Z').next();
  expect([next.limit, next.total, next.events[0]?.id, next.now.map(({ id }) => id)]).toEqual([
    10,
    301,
    'daily-tv/show/day-0',
    ['fair-tv/fair/concert'],
  ]);
});

test('subjects(), announced() and next() have nothing for a genre of another category', async () => {
  const client = clientAt();
  expect((await client.subjects()).subjects.map(({ id }) => id)).toEqual(['show', 'fair', 'laura']);
  expect((await client.announced()).announced.map(({ period }) => period)).toEqual(['2028']);
  for (const [category, count] of [
    ['tv', 1],
    ['film', 0],
  ] as const) {
    const question = { genre: 'fair-tv', category };
    expect((await client.subjects(question)).subjects).toHaveLength(count);
    const { total, announced } = await client.announced(question);
    expect([total, announced.length]).toEqual([count, count]);
    const next = await client.next(question);
    expect([next.total, next.events.length, next.now.length]).toEqual([count, count, count]);
  }
  for (const genre of ['../fair', 'gone-tv']) {
    for (const asked of [
      client.subjects({ genre }),
      client.announced({ genre }),
      client.now({ genre }),
    ])
      await expect(asked).rejects.toMatchObject({ code: 'not-found' });
  }
});

test('changes() returns the change log', async () => {
  const client = createClient({ ...settings, baseUrl: site.url });
  expect(await client.changes()).toEqual({
    since: '2026-11-20T12:17:00.000Z',
    complete_since: '2026-11-20T12:17:00.000Z',
    changes: [],
  });
  const broken = createClient({
    ...settings,
    baseUrl: site.url,
    fetch: async () => Response.json([]),
  });
  await expect(broken.changes()).rejects.toMatchObject({ code: 'wrong-answer' });
  await expect(
    createClient({ ...settings, baseUrl: `${site.url}/none` }).changes(),
  ).rejects.toBeInstanceOf(ClientError);
});

test('the site publishes the client as one module', async () => {
  const response = await fetch(`${site.url}/assets/client.js`);
  const source = await response.text();
  expect(source).toBe(readFileSync('lib/client/client.js', 'utf8'));
  const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    createClient: typeof createClient;
  };
  const client = module.createClient({ baseUrl: site.url, now: () => Date.parse(now) });
  expect((await client.events({ genre: 'noir-film' })).total).toBe(1);
});
