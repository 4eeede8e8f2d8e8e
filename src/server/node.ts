import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { corsHeaders, replyTo, type FetchFile } from './handler.ts';
import { fetchFrom } from './site-folder.ts';

/** How a Node server answers requests. */
export interface RespondOptions {
  readonly fetchFile: FetchFile;
  /** Returns milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** The path of `{base_url}`; empty at the root of a host. */
  readonly mount: string;
  /** Called with the error if a request fails because the site on disk is damaged. */
  readonly onError: (error: unknown) => void;
}

/**
 * Serves the site in a folder through the handler until SIGTERM or SIGINT. Listens on the port `PORT` (default 8080) of
 * the address `HOST` (default all).
 *
 * @param mount the path of `{base_url}`; empty at the root of a host
 */
export function serve(site: URL, mount: string): void {
  const now = (): number => Date.now();
  const fetchFile = fetchFrom(fileURLToPath(site), { now, followsLinks: true });
  const onError = (error: unknown): void => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  };
  const server = createServer({ maxHeaderSize: maxHeaderBytes }, (request, response) => {
    // While the server closes, each connection ends after the response to its last request.
    if (!server.listening) response.setHeader('Connection', 'close');
    void respond(request, response, { fetchFile, now, mount, onError });
  });
  // As the first process of a container, Node ignores both signals unless there is a listener.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => close(server));
  listen(server);
}

/** Answers a request with the handler, or with status 500 if the handler fails. */
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
    onError(error);
    response.writeHead(500, { ...corsHeaders, 'Content-Type': 'text/plain' });
    response.end('The site is damaged: run almanac build.\n');
  }
}

/** Listens, or ends the process with one line on the reason. */
function listen(server: Server): void {
  const { PORT = '8080', HOST } = process.env;
  const refuse = (error: unknown): void => {
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    process.stderr.write(`could not listen: ${reason}; set PORT and HOST to a port and an address that are free\n`);
    process.exitCode = 1;
  };
  server.on('error', refuse);
  try {
    // PORT stays a string because some platforms give the path of a pipe. Node tells it from a number.
    server.listen(PORT as unknown as number, HOST);
  } catch (error) {
    refuse(error);
  }
}

/** Accepts no more connections, lets current requests finish, and cuts off those that take too long. */
function close(server: Server): void {
  server.close();
  setTimeout(() => server.closeAllConnections(), maxSecondsToClose * 1000).unref();
}

/** Docker kills a container after ten seconds. */
const maxSecondsToClose = 8;

/** Long queries get a problem from the handler; Node would answer them with an empty response. */
const maxHeaderBytes = 64 * 1024;
