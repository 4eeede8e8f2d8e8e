import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';

/*
 * The rules of import that .github/CONTRIBUTING.md describes. A room is a folder of src/. Each rule names the files that
 * break it together with what they import.
 */
const root = join(import.meta.dirname, '..');
const src = join(root, 'src');

/** Rule 1. These rooms are below everything else. */
const foundations: Readonly<Record<string, readonly string[]>> = {
  problem: [],
  system: ['problem'],
};

/** Rule 2. What the pure rooms import. They run anywhere, so they import no Node module. */
const pureRooms: Readonly<Record<string, readonly string[]>> = {
  problem: [],
  catalogue: ['problem'],
  api: ['catalogue'],
  client: ['api'],
  render: ['api', 'catalogue', 'client', 'problem'],
};

/** Rule 3. These rooms never import one another. They meet in the files of `src/` itself and in `cli/`. */
const middleRooms = ['source', 'render', 'output', 'parts', 'server', 'deploy'];

const buildFiles = readdirSync(src).filter((name) => name.endsWith('.ts'));

/** Rule 4. Each package is imported by one room. */
const packages: Readonly<Record<string, string>> = {
  commander: 'cli',
  'fastest-levenshtein': 'problem',
  'jsonc-parser': 'source',
  'ical.js': 'source',
  'csv-parse': 'source',
  'date-fns': 'catalogue',
  'http-server': 'server',
  aws4fetch: 'deploy',
};

/** The named packages that two rooms need, and what for. */
const sharedPackages: Readonly<Record<string, readonly string[]>> = {
  // The schemas of the source files, and those of the published documents.
  zod: ['source', 'api'],
  // The files of the data folder, and those of a site.
  'fast-glob': ['source', 'deploy'],
};

/** These are evaluated when almanac is compiled. What runs has their result. */
const compileTime = new Set(['api/schemas.ts', 'api/openapi/json-schemas.ts']);

/** Portable code: what the worker, the browser and the client load, and all that it loads in turn. */
const portable = ['api/', 'client/', 'server/handler.ts', 'server/worker.ts', 'render/pages/browser/'];

/** The clock is read by the shell, and by what runs on its own: the client, the pages, the worker, the Node server. */
const clockReaders = ['cli/main.ts', 'client/', 'render/pages/browser/', 'server/worker.ts', 'server/node.ts'];

interface Import {
  readonly from: string;
  /** A file of src/, a package or a Node module. */
  readonly to: string;
  readonly isType: boolean;
  /** Whether it is loaded later than the file itself. */
  readonly isLazy: boolean;
}

/** The compile step runs after tsc and is no part of the program. */
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && file !== 'compile.ts')
  .toSorted();
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));
const imports = files.flatMap((file) => importsOf(file, texts.get(file) ?? ''));

function importsOf(file: string, text: string): Import[] {
  const resolve = (to: string): string => (to.startsWith('.') ? posix.join(dirname(file), to) : to);
  const eager = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^;']*?\sfrom\s+)?'([^']+)'/gm);
  const lazy = text.matchAll(/(?:\bimport\(\s*|createRequire\(import\.meta\.url\)\()'([^']+)'/g);
  return [
    ...Array.from(eager, ([, type, to = '']) => ({
      from: file,
      to: resolve(to),
      isType: type !== undefined,
      isLazy: false,
    })),
    ...Array.from(lazy, ([, to = '']) => ({ from: file, to: resolve(to), isType: false, isLazy: true })),
  ];
}

/** The room of a file; the file itself if it lies in none. */
function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}

function isOurs(to: string): boolean {
  return texts.has(to);
}

function isPackage(to: string): boolean {
  return !isOurs(to) && !to.startsWith('node:') && !to.startsWith('#');
}

function packageOf(to: string): string {
  return to
    .split('/')
    .slice(0, to.startsWith('@') ? 2 : 1)
    .join('/');
}

function describeImport({ from, to }: Import): string {
  return `${from} imports ${to}`;
}

function violations(isWrong: (one: Import) => boolean): string[] {
  return imports.filter(isWrong).map(describeImport);
}

test('every import is found and resolved', () => {
  const written = [...texts.values()].join('\n').matchAll(/\bfrom '|\bimport\('|\bimport '|import\.meta\.url\)\('/g);
  expect(imports.length).toBe([...written].length);
  expect(violations(({ to }) => to.endsWith('.ts') && !isOurs(to))).toEqual([]);
});

describe('rule 1: problem and system import nothing above them, and no pure room imports system', () => {
  test.each(Object.entries(foundations))('%s imports only %j', (room, allowed) => {
    const known = new Set([room, ...allowed]);
    expect(violations(({ from, to }) => roomOf(from) === room && isOurs(to) && !known.has(roomOf(to)))).toEqual([]);
  });
});

describe('rule 2: pure rooms import what is below them, and no Node module', () => {
  test.each(Object.entries(pureRooms))('%s imports only %j', (room, allowed) => {
    const known = new Set([room, ...allowed]);
    const isWrong = ({ from, to }: Import): boolean =>
      roomOf(from) === room && (isOurs(to) ? !known.has(roomOf(to)) : to.startsWith('node:'));
    expect(violations(isWrong)).toEqual([]);
  });
});

describe('rule 3: the middle rooms never import one another', () => {
  test.each(middleRooms)('%s', (room) => {
    const others = new Set([...buildFiles, 'cli', ...middleRooms.filter((other) => other !== room)]);
    expect(violations(({ from, to }) => roomOf(from) === room && isOurs(to) && others.has(roomOf(to)))).toEqual([]);
  });
});

describe('rule 4: each package is imported by one room', () => {
  test('every imported package has its room', () => {
    const isWrong = ({ from, to, isType }: Import): boolean => {
      if (isType || !isPackage(to)) return false;
      const name = packageOf(to);
      return !(sharedPackages[name] ?? [packages[name]]).includes(roomOf(from));
    };
    expect(violations(isWrong)).toEqual([]);
  });

  test('every package of the tables and of package.json is imported', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object };
    const imported = new Set(
      imports.filter(({ to, isType }) => !isType && isPackage(to)).map(({ to }) => packageOf(to)),
    );
    expect([...imported].toSorted()).toEqual(Object.keys(dependencies).toSorted());
    expect([...imported].toSorted()).toEqual([...Object.keys(packages), ...Object.keys(sharedPackages)].toSorted());
  });
});

test('no file loads itself through others', () => {
  expect(files.filter((file) => loadedBy([file], ({ isType }) => !isType).has(file))).toEqual([]);
});

test.each(portable)('%s loads no package and nothing that needs Node', (place) => {
  const starts = files.filter((file) => file.startsWith(place) && !compileTime.has(file));
  const loaded = loadedBy(starts, ({ isType, to }) => !isType && !compileTime.has(to));
  expect([...loaded].filter((name) => !isOurs(name))).toEqual([]);
  const needsNode = /\b(process|Buffer|__dirname)\b\./;
  expect([...starts, ...loaded].filter((file) => needsNode.test(texts.get(file) ?? ''))).toEqual([]);
});

test('only the shell, and what runs on its own, reads the clock', () => {
  const readsClock = /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bprocess\.hrtime\b/;
  const readers = files.filter((file) => readsClock.test(texts.get(file) ?? ''));
  expect(readers.filter((file) => !clockReaders.some((place) => file.startsWith(place)))).toEqual([]);
  expect(readers).toContain('cli/main.ts');
});

test('Node modules are imported by their full name, and none starts another program', () => {
  expect(violations(({ to }) => /^(fs|path|os|url|util|crypto|module|http|zlib)(\/|$)/.test(to))).toEqual([]);
  expect(violations(({ to }) => to === 'node:child_process')).toEqual([]);
});

test('the command line loads no package but commander before a command needs it', () => {
  const loaded = loadedBy(['cli/main.ts'], ({ isType, isLazy }) => !isType && !isLazy);
  expect([...loaded].filter(isPackage)).toEqual([]);
  const withProgram = loadedBy(['cli/main.ts', 'cli/program.ts'], ({ isType, isLazy }) => !isType && !isLazy);
  expect([...withProgram].filter(isPackage)).toEqual(['commander']);
});

test('the picture in CONTRIBUTING names exactly the folders that exist', () => {
  const contributing = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8');
  const tree = /^src\/\n[^]*?\n```/m.exec(contributing)?.[0] ?? '';
  const named = Array.from(tree.matchAll(/^(│ {2})?[├└]─ (\S+)\//gm), ([, inner, name = '']) => ({ inner, name }));
  let outer = '';
  const paths = named.map(({ inner, name }) => (inner === undefined ? (outer = name) : `${outer}/${name}`));
  const folders = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => posix.join(posix.relative(src, entry.parentPath), entry.name))
    .filter((folder) => folder.split('/').length <= 2);
  expect(paths.toSorted()).toEqual(folders.toSorted());
});

/** Everything that some files import, that those import in turn, and so on. */
function loadedBy(starts: readonly string[], follows: (one: Import) => boolean): Set<string> {
  const found = new Set<string>();
  const open = [...starts];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const one of imports) {
      if (one.from !== file || found.has(one.to) || !follows(one)) continue;
      found.add(one.to);
      open.push(one.to);
    }
  }
  return found;
}
