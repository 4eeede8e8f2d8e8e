import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { respond } from './respond.ts';
import { fetchIn } from './site-folder.ts';

/**
 * Serves the site in a folder with the handler in front of it, on the port `PORT` (8080) of the address `HOST` (all).
 *
 * @param mount the path of `{base_url}`; empty at the root of a host
 */
export function serve(site: URL, mount: string): void {
  const fetchFile = fetchIn(fileURLToPath(site));
  const server = createServer({ maxHeaderSize: mostHeaderBytes }, (request, response) => {
    void respond(request, response, fetchFile, Date.now(), mount);
  });
  const { PORT = '8080', HOST } = process.env;
  // Some platforms name a pipe in PORT: Node tells it from a number by itself.
  if (HOST === undefined) server.listen(PORT);
  else server.listen(Number(PORT), HOST);
}

/** Room for a long query: the handler refuses it with a problem, Node with an empty answer. */
const mostHeaderBytes = 64 * 1024;
