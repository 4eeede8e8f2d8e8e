import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The compiled program, as a user runs it. */
export const almanac = resolve('lib/cli/main.js');

/** A folder for one test file, and how to take it away. */
export function makeFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-test-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Builds `data` into `out` with the compiled program. */
export function buildSite(data: string, out: string, now: string, baseUrl: string): void {
  const args = ['build', '--data', data, '--out', out, '--now', now, '--base-url', baseUrl, '--quiet'];
  execFileSync(process.execPath, [almanac, ...args], { stdio: 'inherit' });
}

export interface Listening {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A real server on a free port of this machine. */
export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** What plain hosts do: files as they are, the query ignored, ETags, and 405 for anything but a read. */
export function plainHost(site: string): RequestListener {
  return ({ method, url, headers }, response) => {
    const { pathname } = new URL(url ?? '/', 'http://host');
    const content = contentOf(join(site, pathname));
    const ETag = `"${hash('sha1', content ?? '')}"`;
    const isSame = headers['if-none-match'] === ETag;
    const status = method === 'GET' ? (content === null ? 404 : isSame ? 304 : 200) : 405;
    response.writeHead(status, status < 400 ? { ETag } : {}).end(status === 200 ? content : undefined);
  };
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
