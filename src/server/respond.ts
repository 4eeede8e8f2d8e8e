import type { IncomingMessage, ServerResponse } from 'node:http';
import { replyTo, type FetchFile } from './handler.ts';

/** Answers a request of Node's own server by the handler; a site that is damaged on disk with 500. */
export async function respond(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  response: ServerResponse,
  fetchFile: FetchFile,
  now: number,
  mount = '',
): Promise<void> {
  const get = (name: string): string | null => headers[name]?.toString() ?? null;
  try {
    const reply = await replyTo({ method, url, headers: { get } }, fetchFile, now, mount);
    // In two calls: the response under http-server gives nothing back.
    response.writeHead(reply.status, reply.headers);
    response.end(reply.body);
  } catch {
    response.writeHead(500, { 'Content-Type': 'text/plain' });
    response.end('The site is damaged: run almanac build.\n');
  }
}
