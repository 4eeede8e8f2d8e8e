import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { respond } from '../../src/server/node.ts';
import { fetchFrom } from '../../src/server/site-folder.ts';
import { listen } from './host.ts';

/**
 * Serves a folder through the handler until the test ends. `now` returns milliseconds. Returns the
 * address.
 */
export async function serveByHandler(
  folder: string,
  now: () => number,
  mount = '',
): Promise<string> {
  const options = { fetchFile: fetchFrom(folder), now, mount };
  return serve((request, response) => void respond(request, response, options));
}

/**
 * Serves a folder as plain files until the test ends. `status` may set another status for a path.
 * Returns the address.
 */
export async function serveFolder(
  folder: string,
  status: (path: string) => number = () => 200,
): Promise<string> {
  return serve(({ url = '/' }, answer) => {
    const path = url.slice(1);
    const code = status(path);
    try {
      if (code === 200) answer.end(readFileSync(join(folder, path)));
      else answer.writeHead(code, { 'retry-after': '0' }).end();
    } catch {
      answer.writeHead(404).end();
    }
  });
}

/** Serves until the test ends. Returns the address. */
export async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await listen(listener);
  onTestFinished(close);
  return url;
}
