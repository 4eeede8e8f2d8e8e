import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface Listening {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts a server on a free port of this machine. */
export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/**
 * Sends a body that does not end, until the client closes the connection. Returns how many chunks
 * it has sent.
 */
export function sendForever(response: ServerResponse, chunk: Buffer): () => number {
  let sent = 0;
  const send = (): void => {
    while (!response.destroyed && response.write(chunk)) sent++;
  };
  response.on('drain', send).on('error', () => {});
  send();
  return () => sent;
}

/**
 * Serves a site like a host that only serves files: it ignores queries, sends ETags and answers 405
 * to writes. It sends no time, because that of this machine is not the one of a test.
 */
export function plainHost(site: string): RequestListener {
  return ({ method, url, headers }, response) => {
    const { pathname } = new URL(url ?? '/', 'http://host');
    const content = contentOf(join(site, pathname));
    const ETag = `"${createHash('sha256')
      .update(content ?? '')
      .digest('hex')}"`;
    const isSame = headers['if-none-match'] === ETag;
    response.sendDate = false;
    const status = method === 'GET' ? (content === null ? 404 : isSame ? 304 : 200) : 405;
    response
      .writeHead(status, status < 400 ? { ETag } : {})
      .end(status === 200 ? content : undefined);
  };
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
