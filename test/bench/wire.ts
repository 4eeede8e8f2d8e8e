import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { answer } from '../../src/server/handler.ts';
import { baseUrl, catalogueIn, now, type Size } from './catalogue.ts';
import { formatCount, table } from './report.ts';

/**
 * Measures the downloads of a client for common questions, in published bytes and with Brotli at level 5, which most
 * hosts use to compress on the fly. Returns the report.
 */
export async function benchTransfer(cache: string, sizes: readonly Size[], isMarkdown: boolean): Promise<string> {
  const rows: string[][] = [];
  for (const size of sizes) rows.push(...(await rowsOf(cache, size)));
  return table(['', 'events', 'bytes', 'in brotli'], rows, isMarkdown);
}

async function rowsOf(cache: string, size: Size): Promise<string[][]> {
  const site = join(cache, `wire-${size.name}`);
  const build = ['build', '--quiet', '--data', catalogueIn(cache, size), '--out', site, '--now', now];
  execFileSync(process.execPath, [resolve('lib/bin/main.js'), ...build, '--base-url', baseUrl], { stdio: 'inherit' });
  const rows: string[][] = [];
  for (const [question, path] of Object.entries(questionsTo(site))) {
    const body = await fetchFrom(site, path);
    const packed = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    rows.push([question, ...[size.events, body.length, packed.length].map(formatCount)]);
  }
  return rows;
}

function questionsTo(site: string): Readonly<Record<string, string>> {
  const [category] = readdirSync(join(site, 'api/v1/category'));
  const [genre] = readdirSync(join(site, 'api/v1/genre'));
  return {
    'the index': 'index.json',
    'all categories': 'categories.json',
    'all genres': 'genres.json',
    'all events': 'events.json',
    'events of a category': `category/${category}/events.json`,
    'events of a genre': `genre/${genre}/events.json`,
    'the next ten of a genre, by query': `events?genre=${genre}&limit=10`,
    'the next ten of all events, by query': 'events?limit=10',
  };
}

/** Returns the response of the handler over the published files, as a worker does. */
async function fetchFrom(site: string, path: string): Promise<Buffer> {
  const request = new Request(`${baseUrl}/api/v1/${path}`);
  const response = await answer(request, async (file) => fileAt(join(site, file)), Date.parse(now));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

function fileAt(path: string): Response {
  return existsSync(path) ? new Response(readFileSync(path)) : new Response(null, { status: 404 });
}
