import type { EventRecord } from '../../../src/api/documents.ts';
import { listLimit, root } from '../../../src/api/paths.ts';
import { eventRecord } from '../../../src/render/records.ts';
import { openData } from '../../../src/source/data.ts';

/** A live server that keeps all events in memory, ordered by genre and start. Each request searches one genre. */

/** The part of Fastify that is used. It is installed with the peers, not with the project. */
interface Fastify {
  readonly fastify: () => {
    readonly get: (path: string, options: object, answer: (request: Asked) => object) => void;
    readonly listen: (where: { host: string; port: number }) => Promise<unknown>;
  };
}

interface Asked {
  readonly query: { readonly genre: string; readonly limit: number };
}

const [data = ''] = process.argv.slice(2);
// At the epoch, no event with a date is over.
const { genres, readGenre } = openData({ data, displayPath: (path) => path, now: 0 });
const byGenre = new Map<string, EventRecord[]>();
for (const found of genres) {
  const { genre, upcoming } = await readGenre(found);
  byGenre.set(genre.id, upcoming.map(eventRecord));
}

const querystring = {
  type: 'object',
  required: ['genre'],
  properties: {
    genre: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: listLimit, default: listLimit },
  },
};
const name: string = 'fastify';
const { fastify } = (await import(name)) as Fastify;
const app = fastify();
// A response schema did not make it faster.
app.get(`/${root}/events`, { schema: { querystring } }, ({ query: { genre, limit } }) => {
  const now = new Date().toISOString();
  const upcoming = (byGenre.get(genre) ?? []).filter((record) => record.upcoming_until > now);
  return {
    filters: { genre, category: null },
    limit,
    total: upcoming.length,
    events: upcoming.slice(0, limit),
  };
});
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
