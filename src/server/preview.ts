import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { corsHeaders, filePathOf } from './handler.ts';
import { respond, serverOptions } from './node.ts';
import { readTarget } from './request.ts';
import { fetchFrom } from './site-folder.ts';

export interface PreviewOptions {
  /** The folder of the site, served at `/`. */
  readonly folder: string;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Returns milliseconds since the Unix epoch. Called for each request. */
  readonly now: () => number;
}

/** A running server. `address` has no final slash. */
export type Preview = Awaited<ReturnType<typeof openPreview>>;

/**
 * Serves a preview: http-server the pages, the handler API requests and missing files. Rejects if
 * it cannot listen.
 */
export async function openPreview({ folder, host, port, now }: PreviewOptions) {
  // Errors are not reported, because the next build repairs a damaged site.
  const options = { fetchFile: fetchFrom(folder), now, mount: '' };
  const caching = { cache: 'public, max-age=300', headers: corsHeaders };
  const serveFile = createFileServer({ root: folder, ...caching, showDir: false });
  const server = createServer(serverOptions, async (request, response) => {
    const file = staticFileOf(request);
    // If the file is unreadable, the handler also fails and responds with status 500.
    const isFile = file !== null && (await options.fetchFile(file).catch(() => null)) !== null;
    if (!isFile) return respond(request, response, options);
    request.url = `/${file}`;
    serveFile(request, response, () => void respond(request, response, options));
  });
  await once(server.listen(port, host), 'listening');
  const { address, family, port: chosen } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  };
  return { address: `http://${family === 'IPv6' ? `[${address}]` : address}:${chosen}`, close };
}

type FileServer = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * The part of http-server that serves files. The rest would parse the query before the handler sees
 * the request.
 */
const createFileServer = createRequire(import.meta.url)('http-server/lib/core') as (
  options: object,
) => FileServer;

/**
 * Returns the path of the file that http-server serves for a request, or null if the handler
 * answers the request.
 */
function staticFileOf({ method, url = '/' }: IncomingMessage): string | null {
  const { path } = readTarget(url, '');
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && path !== null && !/^api(\/|$)|\.json$/.test(path) ? filePathOf(path) : null;
}
