import { execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { findHost } from '../../src/deploy/hosts/find-host.ts';
import {
  freePort,
  startNginx,
  startNode,
  startWorkerd,
  untilItAnswers,
  type Listening,
} from '../conformance/start-hosts.ts';
import { baseUrl } from './catalogue.ts';
import { versionOf } from './peers/peers.ts';

/** A server that runs. */
export interface Server extends Listening {
  readonly name: string;
  /** Whether it answers `limit`; rules alone ignore it. */
  readonly knowsLimit: boolean;
}

/** A catalogue, the site that was built of it, and a folder for what servers are given. */
export interface Served {
  readonly data: string;
  readonly site: string;
  readonly folder: string;
}

type Start = (served: Served) => Promise<Server | null>;

/** What is loaded, in this order; null where this machine has no such program. */
export const starts: readonly Start[] = [
  onHost('nginx', startNginx, async ({ ask }) => {
    const { headers } = await ask('api/v1/index.json', 'HEAD', {});
    return headers['server']?.replace('/', ' ') ?? 'nginx';
  }),
  onHost('node', startNode, () => 'Node host'),
  onHost('cloudflare', startWorkerd, () => `worker (miniflare ${miniflareVersion()})`),
  live('in-memory', () => `Fastify ${versionOf('fastify')}, in memory`),
  live('over-sqlite', () => `Fastify ${versionOf('fastify')}, SQLite (libsql ${versionOf('libsql')})`),
];

type NameOf = (listening: Listening) => string | Promise<string>;

/** A host of the README's table, set up by what `almanac host` writes for it. */
function onHost(
  host: string,
  start: (to: string, baseUrl: string) => Promise<Listening | null>,
  nameOf: NameOf,
): Start {
  return async ({ site, folder }) => {
    const to = join(folder, host);
    const write = ['host', host, '--quiet', '--out', site, '--to', to, '--base-url', baseUrl];
    execFileSync(process.execPath, [resolve('lib/cli/main.js'), ...write], { stdio: ['ignore', 'ignore', 'inherit'] });
    const listening = await start(to, baseUrl);
    const knowsLimit = !findHost(host).lacks.includes('limit');
    return listening && { ...listening, name: await nameOf(listening), knowsLimit };
  };
}

/** A server that makes each answer when it is asked, out of all events of the catalogue. */
function live(program: string, nameOf: () => string): Start {
  return async ({ data, folder }) => {
    const port = await freePort();
    const args = [join(import.meta.dirname, `peers/fastify/${program}.js`), data, join(folder, 'events.db')];
    const child = spawn(process.execPath, args, { env: { ...process.env, PORT: String(port) } });
    return { ...(await untilItAnswers(child, port, baseUrl)), name: nameOf(), knowsLimit: true };
  };
}

function miniflareVersion(): string {
  return (createRequire(import.meta.url)('miniflare/package.json') as { version: string }).version;
}
