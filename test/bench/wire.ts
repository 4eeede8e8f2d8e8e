/* eslint-disable no-console -- this is a program of its own */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { answer } from '../../src/server/handler.ts';
import { baseUrl, catalogueIn, now, sizes, type Size } from './catalogue.ts';
import { table } from './table.ts';

/*
 * What a client downloads for the common questions, in bytes: as published, and in brotli 5, as hosts compress what
 * they have not compressed before. `npm run bench:wire -- --markdown` prints Markdown.
 */
const { values: options } = parseArgs({ options: { markdown: { type: 'boolean', default: false } } });

const cache = resolve('.bench');
mkdirSync(cache, { recursive: true });
const rows: string[][] = [];
for (const size of sizes.slice(0, 2)) rows.push(...(await weigh(size)));
console.log(table(['', 'events', 'bytes', 'in brotli'], rows, options.markdown));

async function weigh(size: Size): Promise<string[][]> {
  const site = join(cache, `wire-${size.name}`);
  const build = ['build', '--quiet', '--data', catalogueIn(cache, size), '--out', site, '--now', now];
  execFileSync(process.execPath, [resolve('lib/bin/main.js'), ...build, '--base-url', baseUrl], { stdio: 'inherit' });
  const [category] = readdirSync(join(site, 'api/v1/category'));
  const [genre] = readdirSync(join(site, 'api/v1/genre'));
  const questions: Readonly<Record<string, string>> = {
    'the index': 'index.json',
    'all categories': 'categories.json',
    'all genres': 'genres.json',
    'events of everything': 'events.json',
    'events of a category': `category/${category}/events.json`,
    'events of a genre': `genre/${genre}/events.json`,
    'the next ten of a genre, by query': `events?genre=${genre}&limit=10`,
    'the next ten of everything, by query': 'events?limit=10',
  };
  const weighed: string[][] = [];
  for (const [what, path] of Object.entries(questions)) {
    const body = await fetchFrom(site, path);
    const packed = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    weighed.push([what, ...[size.events, body.length, packed.length].map((value) => value.toLocaleString('en-US'))]);
  }
  return weighed;
}

/** Asks the handler, as a worker would, over the published files. */
async function fetchFrom(site: string, path: string): Promise<Buffer> {
  const asked = new Request(`${baseUrl}/api/v1/${path}`);
  const response = await answer(asked, async (file) => fileAt(join(site, file)), Date.parse(now));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

function fileAt(path: string): Response {
  return existsSync(path) ? new Response(readFileSync(path)) : new Response(null, { status: 404 });
}
