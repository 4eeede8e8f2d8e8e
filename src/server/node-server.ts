import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { respond, type Answering } from './respond.ts';
import { fetchIn } from './site-folder.ts';

/**
 * Serves the site in a folder with the handler in front of it, on the port `PORT` (8080) of the address `HOST` (all).
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
    void respond(request, response, answering);
  });
  const { PORT = '8080', HOST } = process.env;
  // As it is written: some platforms name a pipe, which Node tells from a number by itself.
  server.listen(PORT as unknown as number, HOST);
}

/** Room for a long query: the handler refuses it with a problem, Node with an empty answer. */
const mostHeaderBytes = 64 * 1024;
