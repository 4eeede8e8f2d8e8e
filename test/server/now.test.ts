import { expect, test } from 'vitest';
import { answer } from '../../src/server/handler.ts';

const builtAt = Date.parse('2027-01-01T00:00:00Z');
/** Returns a time so many minutes after the build. */
const at = (minutes: number): string => new Date(builtAt + minutes * 60_000).toISOString();

test('the handler answers now.json for the time of the request', async () => {
  const event = (id: string, from: number, to: number | null) => ({
    id: `g-c/s/${id}`,
    subject: { id: 's', name: 'Says ,{"id":"x"}' },
    upcoming_until: at(from),
    over_at: to === null ? null : at(to),
  });
  const filters = { genre: null, category: 'c' };
  const files = new Map([
    ['api/v1/category/c/now.json', { filters, limit: 200, total: 201, events: [event('long', -90, 4)] }],
    [
      'api/v1/category/c/events.json',
      {
        filters,
        limit: 200,
        total: 3,
        events: [event('short', 1, 3), event('moment', 1, null), event('later', 9, 10)],
      },
    ],
  ]);
  const fetchFile = async (path: string) =>
    files.has(path)
      ? new Response(`${JSON.stringify(files.get(path))}\n`, { headers: { ETag: '"built"' } })
      : new Response('', { status: 404 });
  const ask = async (minutes: number) => {
    const now = builtAt + minutes * 60_000;
    const response = await answer(new Request('https://host.example/api/v1/category/c/now.json'), fetchFile, now);
    const { total, events } = (await response.json()) as { total: number; events: { id: string }[] };
    const age = response.headers.get('cache-control')?.split('=')[1];
    return [total, events.map(({ id }) => id.slice('g-c/s/'.length)), age, response.headers.get('etag') === '"built"'];
  };
  expect(await ask(0)).toEqual([201, ['long'], '60', true]);
  expect(await ask(1)).toEqual([202, ['short', 'long'], '120', false]);
  expect(await ask(3)).toEqual([201, ['long'], '60', true]);
  expect(await ask(4)).toEqual([200, [], '300', false]);
});
