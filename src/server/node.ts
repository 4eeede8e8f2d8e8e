import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { respond, type Answering } from './respond.ts';
import { fetchIn } from './site-folder.ts';

/**
 * Serves the site in a folder with the handler in front of it, on the port `PORT` (8080) of the address `HOST` (all),
 * until SIGTERM or SIGINT ends it.
 *
 * @param mount the path of `{base_url}`; empty at the root of a host
 */
export function serve(site: URL, mount: string): void {
  const now = (): number => Date.now();
  const answering: Answering = {
    fetchFile: fetchIn(fileURLToPath(site), { now, followsLinks: true }),
    now,
    mount,
    onFailure: (error) => process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
  };
  const server = createServer({ maxHeaderSize: mostHeaderBytes }, (request, response) => {
    // As it closes, what a connection asks for last is answered, and the connection is not kept.
    if (!server.listening) response.setHeader('Connection', 'close');
    void respond(request, response, answering);
  });
  // As the first process of a container, Node passes over both where nobody listens for them.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => close(server));
  listen(server);
}

/** Listens, or ends with a line that says why that cannot be. */
function listen(server: Server): void {
  const { PORT = '8080', HOST } = process.env;
  const refuse = (error: unknown): void => {
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    process.stderr.write(`could not listen: ${reason}; set PORT and HOST to a port and an address that are free\n`);
    process.exitCode = 1;
  };
  server.on('error', refuse);
  try {
    // As it is written: some platforms name a pipe, which Node tells from a number by itself.
    server.listen(PORT as unknown as number, HOST);
  } catch (error) {
    refuse(error);
  }
}

/** Takes no more connections, lets the requests under way end, and cuts off what takes longer than that may. */
function close(server: Server): void {
  server.close();
  setTimeout(() => server.closeAllConnections(), mostSecondsToEnd * 1000).unref();
}

/** Less than the ten after which Docker ends what did not. */
const mostSecondsToEnd = 8;

/** Room for a long query: the handler refuses it with a problem, Node with an empty answer. */
const mostHeaderBytes = 64 * 1024;
