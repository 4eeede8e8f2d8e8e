import type { IncomingMessage, ServerResponse } from 'node:http';
import { everywhere, replyTo, type FetchFile } from './handler.ts';

/** How requests of Node's own server are answered. */
export interface Answering {
  readonly fetchFile: FetchFile;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The path of `{base_url}`; empty at the root of a host. */
  readonly mount: string;
  /** Told of what a site that is damaged on disk makes fail. */
  readonly onFailure: (error: unknown) => void;
}

/** Answers a request by the handler; with 500 where that fails. */
export async function respond(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  response: ServerResponse,
  { fetchFile, now, mount, onFailure }: Answering,
): Promise<void> {
  const get = (name: string): string | null => headers[name]?.toString() ?? null;
  try {
    const reply = await replyTo({ method, url, headers: { get } }, fetchFile, now(), mount);
    // In two calls: the response under http-server gives nothing back.
    response.writeHead(reply.status, reply.headers);
    response.end(reply.body);
  } catch (error) {
    onFailure(error);
    response.writeHead(500, { ...everywhere, 'Content-Type': 'text/plain' });
    response.end('The site is damaged: run almanac build.\n');
  }
}
