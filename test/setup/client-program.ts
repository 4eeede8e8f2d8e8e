import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openPreview, type Preview } from '../../src/server/preview.ts';
import { buildSite, type Events } from './build-site.ts';
import { lastingFolder, tempFolder, writeTree } from './folders.ts';

const [night, now] = ['2026-11-19T12:17:00Z', '2026-11-20T12:17:00Z'];
const before: Events = {
  'tv/drama/severance': { 'Season 3': '2027-01-15', 'Season 4': '2027-Q3' },
  'tv/fair/games': { Fair: { starts: '2026-11-18', ends: '2026-11-22' } },
};
const after: Events = {
  ...before,
  'tv/drama/severance': { ...before['tv/drama/severance'], Finale: '2027-03-19' },
};

/** Builds a site with every kind of event on two nights, and opens the preview of it. */
export async function previewForClient(): Promise<Preview> {
  const cwd = lastingFolder();
  const folders = { cwd, source: lastingFolder() };
  await buildSite(before, night, { ...folders, out: 'night' });
  const folder = await buildSite(after, now, { ...folders, args: ['--against', 'night'] });
  return openPreview({ folder, host: '127.0.0.1', port: 0, now: () => Date.parse(now) });
}

/** Returns a module whose `ask` asks a site for everything that the compiled client can ask. */
export function clientProgram(baseUrl: string): string {
  return `import { createClient } from '${join(import.meta.dirname, '../../lib/client/client.js')}';

const client = createClient({ baseUrl: '${baseUrl}', now: () => ${Date.parse(now)} });
const ids = (records) => records.map(({ id }) => id);

export async function ask() {
  const { events } = await client.next();
  const everything = [];
  for await (const event of client.everything()) everything.push(event);
  const { changes } = await client.changes();
  return {
    categories: ids((await client.categories()).categories),
    next: ids(events),
    now: ids((await client.now({ category: 'tv' })).events),
    announced: ids((await client.announced({ genre: 'drama-tv' })).announced),
    everything: ids(everything),
    changes: changes.map(({ kind, id }) => kind + ' ' + id),
    lastSync: (await client.index()).catalogue.last_sync,
  };
}
`;
}

/** Runs the program in a runtime, such as Node.js. Returns what it prints. */
export async function runClient(
  [runtime = '', ...args]: readonly string[],
  baseUrl: string,
): Promise<unknown> {
  const program = `${clientProgram(baseUrl)}\nconsole.log(JSON.stringify(await ask()));\n`;
  const folder = writeTree(tempFolder(), { 'program.mjs': program });
  const env = { HOME: folder, NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(runtime, [...args, join(folder, 'program.mjs')], {
    env,
  });
  return JSON.parse(stdout);
}

/** What the program of {@link clientProgram} returns. */
export const clientAnswers = {
  categories: ['tv'],
  next: ['drama-tv/severance/season-3', 'drama-tv/severance/finale'],
  now: ['fair-tv/games/fair'],
  announced: ['drama-tv/severance/season-4'],
  everything: [
    'drama-tv/severance/season-3',
    'drama-tv/severance/finale',
    'drama-tv/severance/season-4',
    'fair-tv/games/fair',
  ],
  changes: ['added drama-tv/severance/finale'],
  lastSync: '2026-11-20T12:17:00.000Z',
};
