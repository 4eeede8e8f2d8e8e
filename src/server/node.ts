import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { corsHeaders, replyTo, type FetchFile, type Reply } from './handler.ts';
import { fetchFrom } from './site-folder.ts';

/** Long queries get a problem from the handler; Node would answer them with an empty response. */
export const serverOptions = { maxHeaderSize: 1024 * 1024 };

export interface RespondOptions {
  readonly fetchFile: FetchFile;
  /** Returns milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** The path of `{base_url}`; empty at the root of a host. */
  readonly mount: string;
  /** Changes a reply before it is sent. */
  readonly adapt?: (reply: Reply, request: IncomingMessage) => Reply;
  /** Called if a request fails because the site on disk is damaged or unreadable. */
  readonly onError?: (error: unknown, url: string) => void;
}

/**
 * Serves the site in a folder through the handler until SIGTERM or SIGINT. Listens on the port
 * `PORT` (default 8080) of the address `HOST` (default all).
 *
 * @param mount the path of `{base_url}`; empty at the root of a host
 */
export function serve(site: URL, mount: string): void {
  const onError = (error: unknown, url: string): void => {
    // The message of a system error contains its code and the path.
    const reason = error instanceof Error && !('syscall' in error) ? error.stack : String(error);
    process.stderr.write(`could not respond to ${JSON.stringify(url)}: ${reason}\n`);
  };
  const options = {
    fetchFile: fetchFrom(fileURLToPath(site)),
    now: () => Date.now(),
    mount,
    onError,
  };
  const server = createServer(
    serverOptions,
    (request, response) => void respond(request, response, options),
  );
  // As the first process of a container, Node ignores both signals unless there is a listener.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      server.close();
      setTimeout(() => server.closeAllConnections(), maxMillisecondsToClose).unref();
    });
  }
  const { PORT = '8080', HOST } = process.env;
  // PORT stays a string, because some platforms set it to the path of a pipe. Node recognises a
  // number.
  server.listen(PORT as unknown as number, HOST);
}

/** Docker kills a container after ten seconds. */
const maxMillisecondsToClose = 8000;

/**
 * Answers a request with the handler. If the handler fails, responds with status 500, which is not
 * cached.
 */
export async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { fetchFile, now, mount, adapt, onError }: RespondOptions,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const get = (name: string): string | null => headers[name]?.toString() ?? null;
  try {
    const answer = await replyTo({ method, url, headers: { get } }, fetchFile, now(), mount);
    const reply = adapt?.(answer, request) ?? answer;
    response.writeHead(reply.status, reply.headers).end(reply.body);
  } catch (error) {
    onError?.(error, url);
    const body = 'The site is damaged or unreadable; the log of the server has the reason.\n';
    const details = {
      'Content-Type': 'text/plain',
      'Content-Length': body.length,
      'Cache-Control': 'no-store',
    };
    response.writeHead(500, { ...corsHeaders, ...details }).end(body);
  }
}
