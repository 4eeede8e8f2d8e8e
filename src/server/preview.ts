import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { corsHeaders, filePathOf, type FetchFile, type Reply } from './handler.ts';
import { respond, serverOptions } from './node.ts';
import { OpenPages, withReload } from './reload.ts';
import { readTarget } from './request.ts';
import { fetchFrom } from './site-folder.ts';

/** What a preview serves at `/`: the folder of a site, or one that is made on request. */
export type PreviewSite =
  | { readonly folder: string }
  | { readonly read: (path: string) => Promise<ArrayBuffer | null> };

export interface PreviewOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Returns milliseconds since the Unix epoch. Called for each request. */
  readonly now: () => number;
}

/** A running server. `address` has no final slash. */
export type Preview = Awaited<ReturnType<typeof openPreview>>;

/** Serves a preview. Rejects if it cannot listen. */
export async function openPreview(options: PreviewOptions & PreviewSite) {
  const { host, port, now } = options;
  const pages = new OpenPages();
  const serve =
    'folder' in options
      ? serveFolder(options.folder, now)
      : serveOnRequest(options.read, now, pages);
  const server = createServer(serverOptions, (request, response) => {
    const local = server.address() as AddressInfo;
    if (isForeign(request.headers.host, local.address)) refuse(response);
    else void serve(request, response);
  });
  await once(server.listen(port, host), 'listening');
  const { address, family, port: boundPort } = server.address() as AddressInfo;
  const close = async () => {
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  };
  const authority = family === 'IPv6' ? `[${address}]` : address;
  /** Loads the pages that are open in browsers again. */
  const reload = (): void => pages.reload();
  return {
    address: `http://${authority}:${boundPort}`,
    close,
    reload,
  };
}

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Serves a folder: http-server the pages, the handler API requests and missing files. */
function serveFolder(folder: string, now: () => number): Serve {
  // Errors are not reported, because the next build repairs a damaged site.
  const options = {
    fetchFile: fetchFrom(folder),
    now,
    mount: '',
  };
  const caching = {
    cache: 'public, max-age=300',
    headers: corsHeaders,
  };
  const serveFile = createFileServer({
    root: folder,
    ...caching,
    showDir: false,
  });
  return async (request, response) => {
    const file = staticFileOf(request);
    // If the file is unreadable, the handler also fails and responds with status 500.
    const isFile = file !== null && (await options.fetchFile(file).catch(() => null)) !== null;
    if (!isFile) return respond(request, response, options);
    request.url = `/${file}`;
    serveFile(request, response, () => void respond(request, response, options));
  };
}

/** Serves a site whose files are made when they are asked for, and may be others a moment later. */
function serveOnRequest(
  read: (path: string) => Promise<ArrayBuffer | null>,
  now: () => number,
  pages: OpenPages,
): Serve {
  const fetchFile: FetchFile = async (path) => {
    const bytes = await read(path);
    return bytes && { status: 200, headers: { get: () => null }, arrayBuffer: async () => bytes };
  };
  const adapt = (reply: Reply, request: IncomingMessage): Reply => {
    const headers = {
      ...reply.headers,
      'Cache-Control': 'no-cache',
    };
    return withReload({ ...reply, headers }, request);
  };
  return async (request, response) => {
    if (pages.respond(request, response)) return;
    await respond(request, response, {
      fetchFile,
      now,
      mount: '',
      adapt,
    });
  };
}

/**
 * Whether a request asks a server of this machine by the name of another host. A page of that host
 * could read the preview if its name leads here.
 *
 * @param host the `Host` header (RFC 9110, 7.2)
 * @param address the address on which the server listens
 */
function isForeign(host: string | undefined, address: string): boolean {
  const isLoopback = address === '::1' || address.startsWith('127.');
  if (!isLoopback || host === undefined) return false;
  return !/^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host);
}

function refuse(response: ServerResponse): void {
  const body = 'This preview answers only at its own address, such as http://127.0.0.1:8080.\n';
  response.writeHead(421, { 'Content-Type': 'text/plain' }).end(body);
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
  if (isRead && path !== null && !/^api(\/|$)|\.json$/.test(path)) return filePathOf(path);
  return null;
}
