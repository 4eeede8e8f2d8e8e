import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { ProblemError } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import { respond, type Answering } from './respond.ts';
import { fetchIn } from './site-folder.ts';

export interface PreviewOptions {
  /** The folder of the site, mounted at `/`. */
  readonly folder: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Milliseconds since 1970, asked at each request. */
  readonly now: () => number;
}

/** A server that answers. `address` has no slash at its end. */
export interface Preview {
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Serves a site on http-server, with the handler in front of it. Throws the problem `address-refused`. */
export async function openPreview({ folder, host, port, now }: PreviewOptions): Promise<Preview> {
  const fetchFile = fetchIn(folder, { now, followsLinks: false });
  // What is damaged, the next build mends.
  const answering: Answering = { fetchFile, now, mount: '', onFailure: () => {} };
  // The server under http-server reads a field of Node's that is deprecated: nothing that who serves a site can mend.
  process.noDeprecation = true;
  const { server } = createServer({
    root: folder,
    before: [
      (request, response) => {
        // http-server says that it serves ranges; the handler does not.
        response.removeHeader('Accept-Ranges');
        void respond(request, response, answering).then(() => request.resume());
      },
    ],
  });
  server.maxHeaderSize = mostHeaderBytes;
  server.prependListener('request', keepFromParsing);
  await listen(server, host, port);
  return { address: addressOf(server), close: () => closeAll(server) };
}

type Middleware = (request: IncomingMessage, response: ServerResponse) => void;
interface HttpServer {
  readonly createServer: (options: { root: string; before: Middleware[] }) => {
    readonly server: Server & { maxHeaderSize?: number };
  };
}
const { createServer } = createRequire(import.meta.url)('http-server') as HttpServer;

/** Room for an enormous query: the handler refuses it with a problem, Node with an empty answer. */
const mostHeaderBytes = 1024 * 1024;

/** The server under http-server parses the query of a request that has none yet, and throws at a malformed target. */
function keepFromParsing(request: IncomingMessage & { query?: object }): void {
  request.query = {};
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const reason = failureReason(error);
      reject(new ProblemError([{ code: 'address-refused', place: null, address: `${host}:${port}`, reason }]));
    });
    server.listen(port, host, resolve);
  });
}

function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function closeAll(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
