import { listLimit, root } from '../../../../src/api/paths.ts';
import type { EventRecord } from '../../../../src/api/documents.ts';

/** Returns the first upcoming events of a genre from the store, and their total. */
export type Find = (genre: string, now: string, limit: number) => { total: number; events: readonly EventRecord[] };

/** The part of Fastify that is used. It is installed with the peers, not with the project. */
interface App {
  readonly get: (path: string, options: { schema: object }, answer: (request: Asked) => object) => void;
  readonly listen: (where: { host: string; port: number }) => Promise<unknown>;
}

interface Asked {
  readonly query: { readonly genre: string; readonly limit: number };
}

const querystring = {
  type: 'object',
  required: ['genre'],
  properties: {
    genre: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: listLimit, default: listLimit },
  },
};

/** Responds to `events?genre=…&limit=…` from a store. A response schema did not make it faster. */
export async function serveLive(find: Find): Promise<void> {
  const name: string = 'fastify';
  const { fastify } = (await import(name)) as { readonly fastify: () => App };
  const app = fastify();
  app.get(`/${root}/events`, { schema: { querystring } }, ({ query: { genre, limit } }) => {
    const { total, events } = find(genre, new Date().toISOString(), limit);
    return { filters: { genre, category: null }, limit, total, events };
  });
  await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
}
