import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from '../problem/node-version.ts';
import { corsHeaders, replyTo, type FetchFile } from './handler.ts';
import { fetchFrom } from './site-folder.ts';

export interface RespondOptions {
  readonly fetchFile: FetchFile;
  /** Returns milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** The path of `{base_url}`; empty at the root of a host. */
  readonly mount: string;
  /** Called if a request fails because the site on disk is damaged or unreadable. */
  readonly onError: (error: unknown, url: string) => void;
}

/**
 * Serves the site in a folder through the handler until SIGTERM or SIGINT. Listens on the port `PORT` (default 8080) of
 * the address `HOST` (default all). Ends the process with 1 if this version of Node.js is too old.
 *
 * @param mount the path of `{base_url}`; empty at the root of a host
 */
export function serve(site: URL, mount: string): void {
  const tooOld = nodeProblem(process.versions.node);
  if (tooOld !== null) {
    process.stderr.write(`${tooOld}\n`);
    process.exit(1);
  }
  const now = (): number => Date.now();
  const fetchFile = fetchFrom(fileURLToPath(site), { now, followsLinks: true });
  const onError = (error: unknown, url: string): void => {
    // The message of a system error contains its code and the path.
    const reason = error instanceof Error && !('syscall' in error) ? error.stack : String(error);
    process.stderr.write(`could not respond to ${JSON.stringify(url)}: ${reason}\n`);
  };
  const answerInTurn = inTurn((request, response, isLast) => {
    // While the server closes, each connection ends after the response to its last request.
    if (!server.listening && isLast()) response.setHeader('Connection', 'close');
    void respond(request, response, { fetchFile, now, mount, onError });
  });
  const server = createServer({ maxHeaderSize: maxHeaderBytes }, answerInTurn);
  // As the first process of a container, Node ignores both signals unless there is a listener.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => close(server));
  listen(server);
}

/** Answers a request. `isLast` returns whether no other request of the connection is waiting. */
type Respond = (request: IncomingMessage, response: ServerResponse, isLast: () => boolean) => void;

/**
 * Answers the requests of each connection one at a time, each one after the client has received the previous response.
 * Without this, Node would compute all responses at once and keep them in memory for a client that does not read them.
 * A connection with too many waiting requests is closed.
 */
export function inTurn(answer: Respond): (request: IncomingMessage, response: ServerResponse) => void {
  const queues = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? [];
    queues.set(socket, queue);
    queue.push(() => answer(request, response, () => queue.length === 1));
    if (queue.length > maxPipelined) socket.destroy();
    if (socket.destroyed) return;
    response.once('close', () => {
      queue.shift();
      const [next] = queue;
      // Let other connections go first.
      if (next !== undefined && !socket.destroyed) setImmediate(next);
    });
    if (queue.length === 1) queue[0]?.();
  };
}

/** Browsers do not pipeline requests. */
const maxPipelined = 16;

/** Answers a request with the handler. If the handler fails, responds with status 500, which is not cached. */
export async function respond(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  response: ServerResponse,
  { fetchFile, now, mount, onError }: RespondOptions,
): Promise<void> {
  const get = (name: string): string | null => headers[name]?.toString() ?? null;
  try {
    const reply = await replyTo({ method, url, headers: { get } }, fetchFile, now(), mount);
    response.writeHead(reply.status, reply.headers).end(reply.body);
  } catch (error) {
    onError(error, url);
    const body = 'The site is damaged or unreadable; the log of the server has the reason.\n';
    const described = { 'Content-Type': 'text/plain', 'Content-Length': body.length, 'Cache-Control': 'no-store' };
    response.writeHead(500, { ...corsHeaders, ...described }).end(body);
  }
}

/** Starts listening, or prints the reason in one line and exits. */
function listen(server: Server): void {
  const { PORT = '8080', HOST } = process.env;
  const refuse = (error: unknown): void => {
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    process.stderr.write(`could not listen: ${reason}; set PORT and HOST to a free port and address\n`);
    process.exitCode = 1;
  };
  server.on('error', refuse);
  try {
    // PORT stays a string, because some platforms set it to the path of a pipe. Node recognises a number.
    server.listen(PORT as unknown as number, HOST);
  } catch (error) {
    refuse(error);
  }
}

/**
 * Accepts no more connections, but answers requests on open ones. `close` of an HTTP server would close idle
 * connections at once, although the next request of a busy client may be on its way.
 */
function close(server: Server): void {
  NetServer.prototype.close.call(server);
  setTimeout(() => server.closeIdleConnections(), idleSecondsToClose * 1000).unref();
  setTimeout(() => server.closeAllConnections(), maxSecondsToClose * 1000).unref();
}

/** A connection without a request in this time is not busy. */
const idleSecondsToClose = 2;

/** Docker kills a container after ten seconds. */
const maxSecondsToClose = 8;

/** Long queries get a problem from the handler; Node would answer them with an empty response. */
const maxHeaderBytes = 64 * 1024;
