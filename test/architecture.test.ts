import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shapeOf, sourceFiles } from './setup/shape.ts';

/*
 * The rules of import that .github/CONTRIBUTING.md describes. A room is a folder of src/. Each rule
 * names the files that break it together with what they import.
 */
const root = join(import.meta.dirname, '..');
const src = join(root, 'src');

/**
 * Rule 1. The rooms from top to bottom. A room imports only rooms on lower floors, types included.
 */
const floors: readonly (readonly string[])[] = [
  ['cli', 'compile.ts'],
  ['builder', 'authoring'],
  ['source', 'pages', 'publish', 'server'],
  ['readers', 'render', 'site', 'hosts', 'output', 'client'],
  ['api'],
  ['catalogue', 'system'],
  ['problem'],
];

/** A reader can draw a picture with this many arrows. */
const maxArrows = 59;

/** Rule 2. The pure rooms import no Node module and nothing that does. */
const pureRooms = ['problem', 'catalogue', 'api', 'client', 'render', 'pages'];

/** Rule 3. Each package is imported by one room. */
const packages: Readonly<Record<string, string>> = {
  commander: 'cli',
  'fastest-levenshtein': 'problem',
  'jsonc-parser': 'readers',
  'csv-parse': 'readers',
  'js-yaml': 'readers',
  'toml-eslint-parser': 'readers',
  entities: 'readers',
  'fast-glob': 'source',
  'date-fns': 'catalogue',
  'http-server': 'server',
  aws4fetch: 'publish',
  chokidar: 'system',
};

/** The named packages that several rooms need, and what for. */
const sharedPackages: Readonly<Record<string, readonly string[]>> = {
  // The schemas of the source files, of the state of their copies, and of the published documents.
  zod: ['readers', 'source', 'api'],
};

/** These are evaluated when almanac is compiled. What runs has their result. */
const compileTime = new Set(['api/schemas.ts', 'api/openapi/json-schemas.ts']);

/**
 * Portable code: what the worker, the browser and the client load, and all that it loads in turn.
 */
const portable = ['api/', 'client/', 'server/handler.ts', 'server/worker.ts', 'pages/browser/'];

/**
 * The clock is read by the shell, and by what runs on its own: the client, the pages, the worker,
 * the Node server.
 */
const clockReaders = [
  'cli/start.ts',
  'client/',
  'pages/browser/',
  'server/worker.ts',
  'server/node.ts',
];

/**
 * The budget: the nodes of the syntax tree that each room may have, with 3 % of slack, and the sum.
 * Neither wide lines nor short names nor missing comments save any. The sum only falls, except for
 * what an issue grants.
 */
const nodeBudget: Readonly<Record<string, number>> = {
  api: 8970,
  authoring: 15450,
  builder: 5140,
  catalogue: 5770,
  cli: 15180,
  client: 3110,
  'compile.ts': 970,
  hosts: 2150,
  output: 4560,
  pages: 57620,
  problem: 7390,
  publish: 3430,
  readers: 55720,
  render: 11950,
  server: 4700,
  site: 11100,
  source: 20620,
  system: 4980,
};
const maxNodes = 238_700;

/** Characters of a code line, on average. */
const maxWidth = 35;

/** The lines of CSS, which is not part of the sum above. */
const cssLines = 1786;

/** It generates code after tsc, and is not part of the program. */
const compileStep = 'compile.ts';

interface Import {
  readonly from: string;
  /** A file of src/, a package or a Node module. */
  readonly to: string;
  readonly isType: boolean;
  /** Whether it is loaded later than the file itself. */
  readonly isLazy: boolean;
}

const files = sourceFiles(src);
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));
const shapes = files.map((file) => shapeOf(src, file));
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
    ...Array.from(lazy, ([, to = '']) => ({
      from: file,
      to: resolve(to),
      isType: false,
      isLazy: true,
    })),
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
  return !isOurs(to) && !to.endsWith('.json') && !to.startsWith('node:') && !to.startsWith('#');
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
  // The compile step also contains the text of an import that it generates.
  const program = files.filter((file) => file !== compileStep).map((file) => texts.get(file));
  const written = program
    .join('\n')
    .matchAll(/\bfrom '|\bimport\('|\bimport '|import\.meta\.url\)\('/g);
  expect(imports.filter(({ from }) => from !== compileStep).length).toBe([...written].length);
  expect(violations(({ to }) => to.endsWith('.ts') && !isOurs(to))).toEqual([]);
});

describe('rule 1: a room imports only rooms on lower floors', () => {
  const floorOf = new Map(
    floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)),
  );
  const between = imports.filter(({ from, to }) => isOurs(to) && roomOf(from) !== roomOf(to));

  test('every room has a floor, and no other file lies loose', () => {
    expect([...new Set(files.map(roomOf))].toSorted()).toEqual([...floorOf.keys()].toSorted());
  });

  test('no import leads upward or to the same floor', () => {
    const isWrong = ({ from, to }: Import): boolean =>
      (floorOf.get(roomOf(from)) ?? NaN) >= (floorOf.get(roomOf(to)) ?? NaN);
    expect(between.filter(isWrong).map(describeImport)).toEqual([]);
  });

  test(`there are at most ${maxArrows} arrows between rooms`, () => {
    expect(
      new Set(between.map(({ from, to }) => `${roomOf(from)} → ${roomOf(to)}`)).size,
    ).toBeLessThanOrEqual(maxArrows);
  });
});

test('no files import each other in a circle, types and later imports included', () => {
  let left = new Set(files);
  for (let size = Infinity; left.size < size;) {
    size = left.size;
    const among = imports.filter(({ from, to }) => left.has(from) && left.has(to));
    const imported = new Set(among.map(({ to }) => to));
    left = new Set(among.flatMap(({ from }) => (imported.has(from) ? from : [])));
  }
  expect([...left]).toEqual([]);
});

describe('the budget', () => {
  const sum = (room: string | null, key: 'nodes' | 'characters' | 'lines'): number =>
    shapes
      .filter(({ file }) => room === null || roomOf(file) === room)
      .reduce((total, shape) => total + shape[key], 0);

  test('every room has one', () => {
    expect(Object.keys(nodeBudget).toSorted()).toEqual([...new Set(files.map(roomOf))].toSorted());
  });

  test.each(Object.entries(nodeBudget))('%s keeps to its syntax nodes', (room, limit) => {
    expect(sum(room, 'nodes')).toBeLessThanOrEqual(limit);
  });

  test('the house keeps to its syntax nodes and its width', () => {
    expect(sum(null, 'nodes')).toBeLessThanOrEqual(maxNodes);
    expect(sum(null, 'characters') / sum(null, 'lines')).toBeLessThanOrEqual(maxWidth);
  });

  test.each(Object.keys(nodeBudget))('%s keeps to the rules of style', (room) => {
    const faults = shapes
      .filter(({ file }) => roomOf(file) === room)
      .flatMap((shape) => shape.faults.map((fault) => `${shape.file}:${fault}`));
    expect(faults).toEqual([]);
  });

  test('the styles keep to their lines', () => {
    const styles = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.css'))
      .map((file) => readFileSync(join(src, file), 'utf8'));
    expect(styles.join('').split('\n').length - 1).toBeLessThanOrEqual(cssLines);
  });
});

test.each(pureRooms)('rule 2: %s imports no Node module and not system', (room) => {
  const isWrong = ({ from, to }: Import): boolean =>
    roomOf(from) === room && (to.startsWith('node:') || roomOf(to) === 'system');
  expect(violations(isWrong)).toEqual([]);
});

test('rule 3: each package is imported by one room', () => {
  const isWrong = ({ from, to, isType }: Import): boolean => {
    if (isType || !isPackage(to) || from === compileStep) return false;
    const name = packageOf(to);
    return !(sharedPackages[name] ?? [packages[name]]).includes(roomOf(from));
  };
  expect(violations(isWrong)).toEqual([]);
  const imported = imports.filter(({ from, to, isType }) => {
    return !isType && isPackage(to) && from !== compileStep;
  });
  expect(Object.keys({ ...packages, ...sharedPackages }).toSorted()).toEqual(
    [...new Set(imported.map(({ to }) => packageOf(to)))].toSorted(),
  );
});

test('who installs almanac installs http-server, and no other package', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: object;
  };
  expect(Object.keys(dependencies)).toEqual(['http-server']);
  const program = readFileSync(join(root, 'lib/bin/start.js'), 'utf8');
  const outside = Array.from(program.matchAll(/\brequire\("([^".][^"]*)"\)/g), ([, name]) => name);
  expect(outside.filter((name = '') => !isBuiltin(name))).toEqual([]);
});

test.each(portable)('%s loads no package and nothing that needs Node', (place) => {
  const starts = files.filter((file) => file.startsWith(place) && !compileTime.has(file));
  const loaded = loadedBy(starts, ({ isType, to }) => !isType && !compileTime.has(to));
  expect([...loaded].filter((name) => !isOurs(name) && !name.endsWith('.json'))).toEqual([]);
  const needsNode = /\b(process|Buffer|__dirname)\b\./;
  expect([...starts, ...loaded].filter((file) => needsNode.test(texts.get(file) ?? ''))).toEqual(
    [],
  );
});

test('only the shell, and what runs on its own, reads the clock', () => {
  const readsClock = /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bprocess\.hrtime\b/;
  const readers = files.filter((file) => readsClock.test(texts.get(file) ?? ''));
  expect(readers.filter((file) => !clockReaders.some((place) => file.startsWith(place)))).toEqual(
    [],
  );
  expect(readers).toContain('cli/start.ts');
});

test('Node modules are imported by their full name, and none starts another program', () => {
  expect(
    violations(({ to }) => /^(fs|path|os|url|util|crypto|module|http|zlib)(\/|$)/.test(to)),
  ).toEqual([]);
  expect(violations(({ to }) => to === 'node:child_process')).toEqual([]);
});

test('the command line loads no package but commander before a command needs it', () => {
  const loaded = loadedBy(['cli/start.ts'], ({ isType, isLazy }) => !isType && !isLazy);
  expect([...loaded].filter(isPackage)).toEqual([]);
  const withProgram = loadedBy(
    ['cli/start.ts', 'cli/program.ts'],
    ({ isType, isLazy }) => !isType && !isLazy,
  );
  expect([...withProgram].filter(isPackage)).toEqual(['commander']);
  // Each of these takes a tenth of the time of --help or more.
  expect([...withProgram].filter((name) => /^node:(crypto|https?|zlib)$/.test(name))).toEqual([]);
});

test('the picture in CONTRIBUTING has the floors of the rooms that exist', () => {
  const contributing = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8');
  const picture = /^```\n(cli\n[^]*?)```/m.exec(contributing)?.[1] ?? '';
  const drawn = Array.from(picture.matchAll(/^[a-z]+(?: {3}[a-z]+)*/gm), ([names]) =>
    names.split(/ +/),
  );
  const rooms = floors.map((floor) => floor.filter((room) => room !== compileStep));
  expect(drawn).toEqual(rooms);
  const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.flat().toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
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
