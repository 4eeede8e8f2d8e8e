import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { formatPath, formats, type Format } from '../../src/api/formats.ts';
import { filterNames, scopesOfKind } from '../../src/api/scopes.ts';
import { checkManifest } from '../setup/check-manifest.ts';
import { schemaOf } from '../setup/documents.ts';
import { readTree, tempFolder } from '../setup/folders.ts';
import { isUpdate, recordPerLine } from '../setup/golden.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { readSections, writeSections } from '../setup/sections.ts';

/*
 * Golden sites. A case is a folder test/fixtures/valid/{case} with data/, options.json and
 * expected.txt, which holds the JSON documents of the site with one record on each line.
 *
 *   ALMANAC_UPDATE_GOLDEN=1 npx vitest run --config test/vitest.config.ts test/build/golden.test.ts
 *
 * writes expected.txt of every case. Read the difference before you commit it.
 */
const valid = join(import.meta.dirname, '../fixtures/valid');
const cases = readdirSync(valid);

type Documents = Readonly<Record<string, unknown>>;

interface CaseOptions {
  readonly now: string;
  /** The base URL, if the command line gives one. */
  readonly baseUrl?: string;
  /** When the previous site was built, from previous/. Its change log begins with it. */
  readonly previous?: string;
  /**
   * Whether expected.txt holds the file of every format, the log, the OpenAPI document and llms.txt
   * as well.
   */
  readonly formats?: 'all';
  /**
   * The paths of the documents that show what the case is about. By default, expected.txt holds
   * all.
   */
  readonly documents?: readonly string[];
}

test.each(cases)('%s', async (name) => {
  const options = JSON.parse(
    readFileSync(join(valid, name, 'options.json'), 'utf8'),
  ) as CaseOptions;
  const site = await buildCase(name, options);
  const expected = join(valid, name, 'expected.txt');
  const published = goldenOf(site, options);
  if (isUpdate) writeGolden(expected, parse(published));
  const golden = parse(readSections(expected));
  expect(parse(published)).toEqual(golden);
  for (const [path, document] of Object.entries(golden)) {
    // Compact, with the keys in the order of the golden document, and one newline at the end.
    if (typeof document !== 'string')
      expect(String(site.get(path)), path).toBe(`${JSON.stringify(document)}\n`);
  }
  for (const [path, bytes] of site) {
    const schema = schemaOf(path);
    if (schema !== null)
      expect(schema.safeParse(JSON.parse(String(bytes))).error, path).toBeUndefined();
  }
  for (const alias of aliases) expect(site.get(alias), alias).toEqual(site.get(`${alias}.json`));
  expect(String(site.get('.nojekyll'))).toBe('');
  checkManifest(site);
});

test.each(Object.entries<Format>(formats))(
  'the format %s has a golden file for each of its scopes',
  (_, format) => {
    const paths = cases.flatMap((name) => [
      ...readSections(join(valid, name, 'expected.txt')).keys(),
    ]);
    const anyIds = Object.fromEntries(filterNames.map((name) => [name, ['[^/]+']]));
    for (const filters of format.scopes.flatMap((kind) => scopesOfKind(kind, anyIds))) {
      expect(paths).toContainEqual(
        expect.stringMatching(new RegExp(`^${formatPath(format, filters)}$`)),
      );
    }
  },
);

async function buildCase(
  name: string,
  { now, baseUrl, previous }: CaseOptions,
): Promise<Map<string, Buffer>> {
  const cwd = tempFolder();
  const base = baseUrl === undefined ? [] : ['--base-url', baseUrl];
  const build = async (folder: string, ...args: string[]): Promise<void> => {
    const run = await runAlmanac(
      ['build', '--quiet', '--data', join(valid, name, folder), ...base, ...args],
      { cwd },
    );
    // Some cases have dates that a build warns of.
    expect(run).toMatchObject({ code: 0, stderr: '' });
  };
  if (previous !== undefined) await build('previous', '--now', previous, '--out', 'previous');
  await build('data', '--now', now, ...(previous === undefined ? [] : ['--against', 'previous']));
  return readTree(join(cwd, 'dist'));
}

/** The documents that are published under a second path, without the file extension. */
const aliases = ['api/v1/categories', 'api/v1/genres', 'api/v1/events'];

/**
 * The files that a golden site holds. They do not include the aliases and the manifest, whose
 * hashes cover the pages.
 */
function goldenOf(site: ReadonlyMap<string, Buffer>, options: CaseOptions): Map<string, Buffer> {
  const ofFormats = [
    ...Object.values(formats).map(({ file }) => file),
    'changes.json',
    'openapi.json',
    'llms.txt',
  ];
  const files: readonly string[] = options.formats === 'all' ? ofFormats : [];
  if (options.documents !== undefined)
    return new Map(options.documents.map((path) => [path, contentOf(site, path)]));
  const isGolden = (path: string): boolean =>
    (schemaOf(path) !== null && path !== 'files.json' && !aliases.includes(path)) ||
    files.includes(basename(path));
  return new Map([...site].filter(([path]) => isGolden(path)));
}

function contentOf(site: ReadonlyMap<string, Buffer>, path: string): Buffer {
  const content = site.get(path);
  if (content === undefined) throw new Error(`the site has no ${path}`);
  return content;
}

/** Parses the documents. Files of other types are texts. */
function parse(files: ReadonlyMap<string, Buffer | string>): Documents {
  const parseFile = (path: string, bytes: Buffer | string): unknown =>
    path.endsWith('.json') ? JSON.parse(String(bytes)) : String(bytes);
  return Object.fromEntries(Array.from(files, ([path, bytes]) => [path, parseFile(path, bytes)]));
}

function writeGolden(file: string, documents: Documents): void {
  const textOf = (document: unknown): string =>
    typeof document === 'string' ? document : recordPerLine(document as Documents);
  const files = Object.entries(documents).map(
    ([path, document]) => [path, textOf(document)] as const,
  );
  writeSections(
    file,
    files.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
