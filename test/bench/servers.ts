import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { startNginx, startNode, startWorkerd, type Listening } from '../conformance/start-hosts.ts';
import { baseUrl } from './catalogue.ts';
import type { Question } from './questions.ts';

/** A running server. */
export interface Server extends Listening {
  readonly name: string;
  /**
   * The kinds of questions that it answers. A web server that only serves files ignores `limit`.
   */
  readonly supports: readonly Question['kind'][];
}

/** A built site, and a folder for the files of the servers. */
export interface Served {
  readonly site: string;
  readonly folder: string;
}

/** Starts the servers in the order of the table. A program that is not installed is left out. */
export async function* startServers(served: Served): AsyncGenerator<Server> {
  const nginx = await startHost(served, 'nginx', startNginx);
  if (nginx !== null)
    yield { ...nginx, name: await versionOfNginx(nginx), supports: ['file', 'query'] };
  const node = await startHost(served, 'node', startNode);
  if (node !== null) yield { ...node, name: 'Node host', supports: ['file', 'query', 'limit'] };
  const worker = await startHost(served, 'cloudflare', startWorkerd);
  if (worker !== null)
    yield {
      ...worker,
      name: `worker (miniflare ${versionOfMiniflare()})`,
      supports: ['file', 'query', 'limit'],
    };
}

/** Starts a supported host with the configuration that `almanac host` writes for it. */
async function startHost(
  { site, folder }: Served,
  host: string,
  start: (to: string, baseUrl: string) => Promise<Listening | null>,
): Promise<Listening | null> {
  const to = join(folder, host);
  const write = ['host', host, '--quiet', '--out', site, '--to', to, '--base-url', baseUrl];
  execFileSync(process.execPath, [resolve('lib/bin/main.js'), ...write], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return start(to, baseUrl);
}

async function versionOfNginx({ ask }: Listening): Promise<string> {
  const { headers } = await ask('api/v1/index.json', 'HEAD', {});
  return headers['server']?.replace('/', ' ') ?? 'nginx';
}

function versionOfMiniflare(): string {
  return (createRequire(import.meta.url)('miniflare/package.json') as { version: string }).version;
}
