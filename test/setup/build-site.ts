import { build, type BuildReport } from '../../src/builder/build.ts';
import { runAlmanac } from './run-almanac.ts';
import { join } from 'node:path';
import { lastingFolder, tempFolder, writeTree, type Tree } from './folders.ts';

/** Events of subjects: `{ 'tv/drama/severance': { 'Season 3': '2027-01-15' } }`. */
export type Events = Readonly<Record<string, Readonly<Record<string, string | object>>>>;

/**
 * Returns a data folder with these events, their categories and genres, and more keys of
 * service.json.
 */
export function dataOf(events: Events, service: object = {}): Tree {
  const tree: Record<string, unknown> = {
    'service.json': {
      name: 'Test',
      license: 'Free',
      base_url: 'https://example.org/almanac',
      ...service,
    },
  };
  for (const [path, ofSubject] of Object.entries(events)) {
    const [category = '', genre = ''] = path.split('/');
    tree[`${category}/category.json`] = { name: category };
    tree[`${category}/${genre}/genre.json`] = { name: genre };
    const list = Object.entries(ofSubject).map(([title, starts]) =>
      typeof starts === 'string' ? { title, starts } : { title, ...starts },
    );
    tree[`${path}.json`] = { name: path.split('/')[2], events: list };
  }
  return tree;
}

/**
 * Returns the files with the names of a catalogue, with one category and the genre of a folder such
 * as `data/tv/drama`.
 */
export function emptyGenre(folder: string, service: object = {}, genre: object = {}): Tree {
  const [name, category, ...above] = folder.split('/').toReversed();
  const data = above.map((part) => `${part}/`).join('');
  return {
    [`${data}service.json`]: {
      name: 'Test',
      license: 'Free',
      base_url: 'https://example.org',
      ...service,
    },
    [`${data}${category}/category.json`]: { name: category },
    [`${folder}/genre.json`]: { name, ...genre },
  };
}

/** Builds a site in a new folder and returns its path. */
export async function buildSite(
  events: Events,
  now: string,
  {
    cwd = tempFolder(),
    source = tempFolder(),
    out = 'dist',
    service = {},
    args = [] as readonly string[],
  } = {},
): Promise<string> {
  const data = writeTree(source, dataOf(events, service));
  const { code, stderr } = await runAlmanac(
    ['build', '--data', data, '--out', out, '--now', now, '--quiet', ...args],
    {
      cwd,
    },
  );
  if (code !== 0) throw new Error(stderr);
  return `${cwd}/${out}`;
}

/**
 * Builds the site of a data folder with these files. It stays until all tests of the file have
 * ended.
 */
export async function buildTree(
  data: Tree,
  now: string,
  baseUrl = 'https://example.org',
): Promise<string> {
  const cwd = lastingFolder();
  writeTree(join(cwd, 'data'), data);
  const run = await runAlmanac(['build', '--base-url', baseUrl, '--now', now, '--json'], { cwd });
  if (run.code !== 0) throw new Error(run.stdout + run.stderr);
  return join(cwd, 'dist');
}

/**
 * Builds the site of a data folder in this process, without the files of pages and without a flush
 * to the disk.
 */
export async function buildFolder(
  data: string,
  out: string,
  now: number,
  strict = false,
): Promise<BuildReport> {
  return build({
    data,
    out,
    now,
    strict,
    displayPath: (path) => path,
    baseUrl: null,
    generator: 'almanac/test',
    dryRun: false,
    assets: [],
    isDurable: false,
  });
}
