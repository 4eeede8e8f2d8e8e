import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
