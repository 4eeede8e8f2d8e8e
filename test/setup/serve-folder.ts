import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { respond } from '../../src/server/respond.ts';
import { fetchIn } from '../../src/server/site-folder.ts';

/** A host that runs the handler in front of a folder mounted at a path, by a clock in milliseconds. Returns its address. */
export async function serveByHandler(folder: string, now: () => number, mount = ''): Promise<string> {
  const fetchFile = fetchIn(folder, { now, followsLinks: true });
  const answering = { fetchFile, now, mount, onFailure: () => {} };
  return listen(createServer((request, response) => void respond(request, response, answering)));
}

/** A plain file host on 127.0.0.1 until the test ends. `status` may answer a path otherwise. Returns its address. */
export async function serveFolder(folder: string, status: (path: string) => number = () => 200): Promise<string> {
  const server = createServer(({ url = '/' }, answer) => {
    const path = url.slice(1);
    const code = status(path);
    try {
      if (code === 200) answer.end(readFileSync(join(folder, path)));
      else answer.writeHead(code, { 'retry-after': '0' }).end();
    } catch {
      answer.writeHead(404).end();
    }
  });
  return listen(server);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
