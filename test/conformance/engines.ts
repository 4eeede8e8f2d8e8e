import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { mountOf } from '../../src/api/address.ts';
import { openPreview } from '../../src/server/preview.ts';
import { findHost } from '../../src/hosts/table.ts';
import { freePort } from '../setup/processes.ts';
import { askOver, targetOf, type Answer, type Ask } from './run-rows.ts';
import {
  startCaddy,
  startNginx,
  startNode,
  startWorkerd,
  untilItAnswers,
  type Running,
} from './start-hosts.ts';

/** A built site, and a folder for the files of an engine. */
export interface SiteUnderTest {
  readonly site: string;
  readonly folder: string;
  readonly baseUrl: string;
}

/** Starts an engine that serves a site. Returns null if the engine is not installed. */
export type Start = (tested: SiteUnderTest) => Promise<Running | null>;

/** The time of the requests, for engines that accept a time. */
export const now = Date.parse('2026-11-20T12:00:00Z');

/** The engines of each host and of the preview. Vercel has none. */
export const engines: Readonly<Record<string, Start>> = {
  preview: async ({ site }) => {
    const { address, close } = await openPreview({
      folder: site,
      host: '127.0.0.1',
      port: 0,
      now: () => now,
    });
    return { ask: askOver(address), close };
  },
  cloudflare: async (tested) => startWorkerd(await writeHost('cloudflare', tested), tested.baseUrl),
  node: async (tested) => startNode(await writeHost('node', tested), tested.baseUrl),
  nginx: async (tested) => startNginx(await writeHost('nginx', tested), tested.baseUrl),
  caddy: async (tested) => startCaddy(await writeHost('caddy', tested), tested.baseUrl),
  cloudfront: startCloudFront,
  netlify: startNetlify,
  'github-pages': startFilesAlone,
  'gitlab-pages': startFilesAlone,
  s3: startFilesAlone,
};

/** Writes the files of a host, as `almanac host` does. */
export async function writeHost(
  name: string,
  { site, folder, baseUrl }: SiteUnderTest,
): Promise<string> {
  const to = join(folder, name);
  mkdirSync(to);
  const files = (await findHost(name)).files({
    baseUrl,
    mount: mountOf(baseUrl),
    site,
    relativeSite: `../${basename(site)}`,
    name: 'conformance',
  });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(to, file), text);
  return to;
}

/**
 * Runs the CloudFront function in a separate context, in front of a bucket that only serves files.
 */
async function startCloudFront(tested: SiteUnderTest): Promise<Running> {
  const to = await writeHost('cloudfront', tested);
  const context = createContext({});
  runInContext(readFileSync(join(to, 'viewer-request.js'), 'utf8'), context);
  const mount = mountOf(tested.baseUrl);
  const bucket = publishBelow(mount, tested);
  const ask: Ask = async (path, method) => {
    const [uri = '', query = ''] = targetOf(mount, path).split(/\?(.*)/s);
    context['event'] = {
      request: { method, uri, querystring: readQuerystring(query), headers: {} },
    };
    const result = runInContext('handler(event)', context) as ViewerResult;
    if ('statusCode' in result) {
      const pairs = Object.entries(result.headers).map(([name, { value }]) => [name, value]);
      return {
        status: result.statusCode,
        headers: Object.fromEntries(pairs) as Answer['headers'],
        text: result.body ?? '',
      };
    }
    const missing = readFrom(bucket, `${mount}/404.json`);
    return readFrom(bucket, result.uri) ?? { headers: {}, text: '', ...missing, status: 404 };
  };
  return { ask, close: async () => {} };
}

type ViewerResult =
  | { uri: string }
  | { statusCode: number; headers: Record<string, { value: string }>; body?: string };

/** A query as CloudFront passes it: names and values are not decoded. */
function readQuerystring(
  query: string,
): Record<string, { value: string; multiValue?: { value: string }[] }> {
  const read = Object.create(null) as Record<
    string,
    { value: string; multiValue?: { value: string }[] }
  >;
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const known = read[name];
    if (known === undefined) read[name] = { value };
    else known.multiValue = [...(known.multiValue ?? [{ value: known.value }]), { value }];
  }
  return read;
}

/** Runs Netlify's own parser and matcher of rules in front of a host that only serves files. */
async function startNetlify(tested: SiteUnderTest): Promise<Running> {
  const to = await writeHost('netlify', tested);
  const require = createRequire(import.meta.url);
  const { parsePlain } = require('netlify-redirector') as {
    parsePlain: (rules: string, options: object) => Promise<Matcher>;
  };
  const { parseAllRedirects } = await import('@netlify/redirect-parser');
  const mount = mountOf(tested.baseUrl);
  const published = publishBelow(mount, tested);
  cpSync(to, published, { recursive: true });
  const file = join(published, '_redirects');
  const { errors } = await parseAllRedirects({
    redirectsFiles: [file],
    configRedirects: [],
    minimal: true,
  });
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const matcher = await parsePlain(readFileSync(file, 'utf8'), {});
  const missing: Answer = { status: 404, headers: {}, text: '' };
  const ask: Ask = async (path) => {
    const [written = '', query = ''] = targetOf(mount, path).split(/\?(.*)/s);
    const request = {
      scheme: 'https',
      host: 'example.org',
      path: written,
      query,
      getHeader: () => '',
      getCookie: () => '',
    };
    const match = matcher.match(request);
    const plain = readFrom(published, written);
    if (match === null || (plain !== null && !match.force200 && !match.force))
      return plain ?? missing;
    const target =
      readFrom(published, new URL(match.to, 'https://example.org').pathname) ?? missing;
    return match.status === 200 ? target : { ...target, status: match.status };
  };
  return { ask, close: async () => {} };
}

interface Matcher {
  readonly match: (
    request: object,
  ) => { to: string; status: number; force?: boolean; force200?: boolean } | null;
}

/** Copies the site below the path of its base URL, as a host that only serves files requires. */
function publishBelow(mount: string, { site, folder }: SiteUnderTest): string {
  const root = join(folder, 'published');
  cpSync(site, join(root, decodeURIComponent(mount)), { recursive: true });
  return root;
}

/** Returns the file of a path, or null if there is none. */
function readFrom(root: string, uri: string): Answer | null {
  const types: Record<string, string> = {
    json: 'application/json',
    ics: 'text/calendar',
    html: 'text/html',
  };
  const headers = {
    'content-type': types[uri.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
  };
  try {
    const name = decodeURIComponent(uri);
    // The file system would resolve such a path to another file.
    if (/\/(\.{0,2})(\/|$)/.test(name)) return null;
    return { status: 200, headers, text: readFileSync(join(root, name), 'utf8') };
  } catch {
    return null;
  }
}

/** Starts a host that only serves files: http-server without middleware. */
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
