import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer as createProbe, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { openPreview } from '../../src/server/preview.ts';
import { findHost } from '../../src/server/hosts/table.ts';
import { engine, onPath } from '../setup/engines.ts';
import { askOver, type Answer, type Ask } from './run-rows.ts';

/** A built site, and a folder of its own for what an engine is given. */
export interface SiteUnderTest {
  readonly site: string;
  readonly folder: string;
  readonly baseUrl: string;
}

/** An engine that runs. */
interface Running {
  readonly ask: Ask;
  readonly close: () => Promise<void>;
}

/** Starts an engine on a site; null where this machine has not got it. */
export type Start = (tested: SiteUnderTest) => Promise<Running | null>;

/** When the site is asked, for those engines that can be told. */
export const now = Date.parse('2026-11-20T12:00:00Z');

/** The engine for each host of the table, by its name; two more have none. */
export const engines: Readonly<Record<string, Start>> = {
  preview: async ({ site }) => {
    const { address, close } = await openPreview({ folder: site, host: '127.0.0.1', port: 0, now: () => now });
    return { ask: askOver(address), close };
  },
  cloudflare: startWorkerd,
  node: startNode,
  nginx: startNginx,
  caddy: startCaddy,
  cloudfront: startCloudFront,
  netlify: startNetlify,
  'github-pages': startFilesAlone,
  s3: startFilesAlone,
};

/** Writes what a host needs beside the site, as `almanac host` does. */
async function writeHost(name: string, { site, folder, baseUrl }: SiteUnderTest): Promise<string> {
  const to = join(folder, name);
  mkdirSync(to);
  const mount = new URL(baseUrl).pathname.replace(/\/$/, '');
  const files = (await findHost(name).files())({ baseUrl, mount, site, relativeSite: '../dist' });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(to, file), text);
  return to;
}

async function startWorkerd(tested: SiteUnderTest): Promise<Running> {
  const { Miniflare } = await import('miniflare');
  const to = await writeHost('cloudflare', tested);
  const config = JSON.parse(readFileSync(join(to, 'wrangler.jsonc'), 'utf8').replace(/^\s*\/\/.*$/gm, '')) as {
    compatibility_date: string;
    vars: Record<string, string>;
    assets: { directory: string; binding: string; html_handling: 'none'; not_found_handling: 'none' };
  };
  const { directory, binding, html_handling, not_found_handling } = config.assets;
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    modules: [{ type: 'ESModule', path: 'worker.js', contents: readFileSync(join(to, 'worker.js'), 'utf8') }],
    compatibilityDate: config.compatibility_date,
    bindings: config.vars,
    assets: {
      directory: join(to, directory),
      binding,
      assetConfig: { html_handling, not_found_handling },
      routerConfig: { invoke_user_worker_ahead_of_assets: true, has_user_worker: true },
    },
  });
  const url = await miniflare.ready;
  const { pathname } = new URL(tested.baseUrl);
  return { ask: askOver(new URL(pathname, url).href), close: () => miniflare.dispose() };
}

async function startNode(tested: SiteUnderTest): Promise<Running> {
  const to = await writeHost('node', tested);
  const port = await freePort();
  const child = spawn(process.execPath, [join(to, 'server.mjs')], { env: { PORT: String(port), HOST: '127.0.0.1' } });
  return untilItAnswers(child, port, tested.baseUrl);
}

async function startNginx(tested: SiteUnderTest): Promise<Running | null> {
  const nginx = engine('nginx', () => onPath('nginx') ?? onSbin('nginx'), 'apt-get install nginx-light');
  if (nginx === null) return null;
  const to = await writeHost('nginx', tested);
  const port = await freePort();
  const conf = readFileSync(join(to, 'almanac.conf'), 'utf8').replace('listen 80;', `listen 127.0.0.1:${port};`);
  writeFileSync(join(to, 'almanac.conf'), conf);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${to}/${name};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    join(to, 'nginx.conf'),
    `${user} daemon off; pid ${to}/pid; error_log ${to}/error.log; events {}
http { access_log off; ${temporary.join(' ')} include ${to}/almanac.conf; }\n`,
  );
  const child = spawn(nginx, ['-p', to, '-e', join(to, 'error.log'), '-c', join(to, 'nginx.conf')]);
  return untilItAnswers(child, port, tested.baseUrl);
}

async function startCaddy(tested: SiteUnderTest): Promise<Running | null> {
  const caddy = engine('Caddy', () => onPath('caddy'), 'apt-get install caddy');
  if (caddy === null) return null;
  const to = await writeHost('caddy', tested);
  const port = await freePort();
  const file = readFileSync(join(to, 'Caddyfile'), 'utf8').replace(':80 {', `http://127.0.0.1:${port} {`);
  writeFileSync(join(to, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${file}`);
  const env = { HOME: to, XDG_DATA_HOME: to, XDG_CONFIG_HOME: to, PATH: process.env['PATH'] };
  const child = spawn(caddy, ['run', '--config', join(to, 'Caddyfile'), '--adapter', 'caddyfile'], { env });
  return untilItAnswers(child, port, tested.baseUrl);
}

/** The function of CloudFront, in an engine of its own, before a bucket that knows files and nothing else. */
async function startCloudFront(tested: SiteUnderTest): Promise<Running> {
  const to = await writeHost('cloudfront', tested);
  const context = createContext({});
  runInContext(readFileSync(join(to, 'viewer-request.js'), 'utf8'), context);
  const { pathname } = new URL(tested.baseUrl);
  const mount = pathname.replace(/\/$/, '');
  const ask: Ask = async (path, method) => {
    const [uri = '', query = ''] = `${mount}/${path}`.split(/\?(.*)/s);
    context['event'] = { request: { method, uri, querystring: readQuerystring(query), headers: {} } };
    const result = runInContext('handler(event)', context) as ViewerResult;
    if ('statusCode' in result) {
      const pairs = Object.entries(result.headers).map(([name, { value }]) => [name, value]);
      return { status: result.statusCode, headers: Object.fromEntries(pairs) as Answer['headers'], text: result.body };
    }
    return readFrom(tested.site, result.uri, mount);
  };
  return { ask, close: async () => {} };
}

type ViewerResult = { uri: string } | { statusCode: number; headers: Record<string, { value: string }>; body: string };

/** A query as CloudFront hands it over: names and values as they are written. */
function readQuerystring(query: string): Record<string, { value: string; multiValue?: { value: string }[] }> {
  const read: Record<string, { value: string; multiValue?: { value: string }[] }> = {};
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const known = read[name];
    if (known === undefined) read[name] = { value };
    else known.multiValue = [...(known.multiValue ?? [{ value: known.value }]), { value }];
  }
  return read;
}

/** Netlify's own matcher, before files alone; rules as Netlify's own parser reads them. */
async function startNetlify(tested: SiteUnderTest): Promise<Running> {
  const to = await writeHost('netlify', tested);
  const require = createRequire(import.meta.url);
  const { parsePlain } = require('netlify-redirector') as {
    parsePlain: (rules: string, options: object) => Promise<Matcher>;
  };
  const { parseAllRedirects } = await import('@netlify/redirect-parser');
  const file = join(to, '_redirects');
  const { errors } = await parseAllRedirects({ redirectsFiles: [file], configRedirects: [], minimal: true });
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const matcher = await parsePlain(readFileSync(file, 'utf8'), {});
  const mount = new URL(tested.baseUrl).pathname.replace(/\/$/, '');
  const ask: Ask = async (path) => {
    const [written = '', query = ''] = `${mount}/${path}`.split(/\?(.*)/s);
    const request = {
      scheme: 'https',
      host: 'example.org',
      path: written,
      query,
      getHeader: () => '',
      getCookie: () => '',
    };
    const match = matcher.match(request);
    const plain = await readFrom(tested.site, written, mount);
    if (match === null || (plain.status === 200 && !match.force200 && !match.force)) return plain;
    const target = await readFrom(tested.site, new URL(match.to, 'https://example.org').pathname, mount);
    return match.status === 200 ? target : { ...target, status: match.status };
  };
  return { ask, close: async () => {} };
}

interface Matcher {
  readonly match: (request: object) => { to: string; status: number; force?: boolean; force200?: boolean } | null;
}

/** What a bucket or a folder of files answers at a path. */
async function readFrom(site: string, uri: string, mount: string): Promise<Answer> {
  const types: Record<string, string> = { json: 'application/json', ics: 'text/calendar', html: 'text/html' };
  const path = uri.startsWith(`${mount}/`) ? uri.slice(mount.length) : '/404';
  const headers = { 'content-type': types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream' };
  try {
    return { status: 200, headers, text: readFileSync(join(site, decodeURIComponent(path)), 'utf8') };
  } catch {
    return {
      status: 404,
      headers: { 'content-type': 'application/json' },
      text: readFileSync(join(site, '404.json'), 'utf8'),
    };
  }
}

/** A host that keeps files and can do nothing else: http-server with nothing before it. */
async function startFilesAlone({ site, baseUrl }: SiteUnderTest): Promise<Running> {
  const program = createRequire(import.meta.url).resolve('http-server/bin/http-server');
  const port = await freePort();
  const child = spawn(process.execPath, [
    program,
    site,
    '-a',
    '127.0.0.1',
    '-p',
    String(port),
    '--silent',
    '-d',
    'false',
  ]);
  return untilItAnswers(child, port, new URL('/', baseUrl).href);
}

async function freePort(): Promise<number> {
  const probe = createProbe();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

function onSbin(program: string): string | null {
  return engineAt(`/usr/sbin/${program}`);
}

function engineAt(path: string): string | null {
  try {
    readFileSync(path);
    return path;
  } catch {
    return null;
  }
}

/** Asks a server that was started until it answers; what it said on the way is the message where it ends instead. */
async function untilItAnswers(child: ChildProcess, port: number, baseUrl: string): Promise<Running> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdout?.resume();
  let hasEnded = false;
  const ended = new Promise<void>((done) => child.once('exit', () => done())).finally(() => (hasEnded = true));
  const ask = askOver(`http://127.0.0.1:${port}${new URL(baseUrl).pathname}`);
  while (!hasEnded) {
    const isThere = await ask('api/v1/genres.json', 'GET', {}).then(
      () => true,
      () => false,
    );
    if (isThere) {
      const close = (): Promise<void> => {
        child.kill();
        return ended;
      };
      return { ask, close };
    }
    await new Promise((next) => setImmediate(next));
  }
  throw new Error(`it ended instead of answering: ${said}`);
}
