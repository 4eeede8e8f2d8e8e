/** A program that generates a client from openapi.json. */
export interface Generator {
  /** The command and its arguments, run in the folder of openapi.json. */
  readonly command: readonly string[];
  /** Files that the command needs. */
  readonly files?: Readonly<Record<string, string>>;
  /**
   * A module that uses the client: it sets `list` to the events of `genre`, at most 2, from the
   * service at `baseUrl`.
   */
  readonly user: string;
}

export const generators: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    command: ['openapi-typescript', 'openapi.json', '-o', 'client.ts'],
    user: `
      import createClient from 'openapi-fetch';
      import type { paths } from './client';
      const { data, error } = await createClient<paths>({ baseUrl }).GET('/api/v1/events', {
        params: { query: { genre, limit: 2 } },
      });
      if (error) throw new Error(error.detail);
      list = data;`,
  },
  orval: {
    command: ['orval', '--config', 'orval.config.cjs'],
    files: {
      'orval.config.cjs': `module.exports = {
        almanac: { input: './openapi.json', output: { target: './client.ts', client: 'zod' } },
      };`,
    },
    user: `
      import { listEventsQueryParams, listEventsResponse } from './client';
      listEventsQueryParams.parse({ genre, limit: 2 });
      const response = await fetch(\`\${baseUrl}/api/v1/events?genre=\${genre}&limit=2\`);
      list = listEventsResponse.parse(await response.json());`,
  },
  'hey-api': {
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'client'],
    user: `
      import { listEvents } from './client';
      const { data } = await listEvents({ query: { genre, limit: 2 }, throwOnError: true });
      list = data;`,
  },
};
