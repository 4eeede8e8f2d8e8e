import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { corsHeaders, filePathOf } from './handler.ts';
import { inTurn, respond, type RespondOptions } from './node.ts';
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

/** Serves a preview: http-server the pages, the handler API requests and missing files. Rejects if it cannot listen. */
export async function openPreview({ folder, host, port, now }: PreviewOptions) {
  const fetchFile = fetchFrom(folder, { now, followsLinks: false });
  // Errors are not reported, because the next build repairs a damaged site.
  const options: RespondOptions = { fetchFile, now, mount: '', onError: () => {} };
  const caching = { cache: 'public, max-age=300', headers: corsHeaders };
  const serveFile = createFileServer({ root: folder, ...caching, showDir: false });
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes },
    inTurn(async (request, response) => {
      const file = staticFileOf(request);
      // If the file is unreadable, the handler also fails and responds with status 500.
      const isFile = file !== null && (await fetchFile(file).catch(() => null)) !== null;
      if (!isFile) return respond(request, response, options);
      request.url = `/${file}`;
      serveFile(request, response, () => void respond(request, response, options));
    }),
  );
  await listen(server, host, port);
  const { address, family, port: chosen } = server.address() as AddressInfo;
  const name = family === 'IPv6' ? `[${address}]` : address;
  return { address: `http://${name}:${chosen}`, close: () => closeAll(server) };
}

type FileServer = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** The part of http-server that serves files. The rest would parse the query before the handler sees the request. */
const createFileServer = createRequire(import.meta.url)('http-server/lib/core') as (options: object) => FileServer;

/** Long queries get a problem from the handler; Node would answer them with an empty response. */
const maxHeaderBytes = 1024 * 1024;

/** Returns the path of the file that http-server serves for a request, or null if the handler answers the request. */
function staticFileOf({ method, url = '/' }: IncomingMessage): string | null {
  const { path } = readTarget(url, '');
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && path !== null && !/^api(\/|$)|\.json$/.test(path) ? filePathOf(path) : null;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
}

function closeAll(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
