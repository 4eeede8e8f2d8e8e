import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from './setup/folders.ts';
import { almanac, spawnAlmanac } from './setup/run-almanac.ts';

/*
 * Who may import whom. Each rule is a row in plain words; a file that breaks one is named with what it imports.
 * A place is a folder of src/ (with the slash) or a file.
 */
const src = join(import.meta.dirname, '../src');

/** Imports follow the data's path: each place may import itself and the places in its row, and nothing else of src/. */
const directions: Readonly<Record<string, readonly string[]>> = {
  'problem.ts': [],
  'system-failure.ts': ['problem.ts'],
  'nearest.ts': [],
  'lock.ts': [],
  'parallel.ts': [],
  'request.ts': ['problem.ts', 'system-failure.ts'],
  'calendar/': ['nearest.ts'],
  'catalogue/': ['calendar/'],
  'source/': [
    'catalogue/',
    'calendar/',
    'lock.ts',
    'nearest.ts',
    'parallel.ts',
    'problem.ts',
    'request.ts',
    'system-failure.ts',
  ],
  'api/': ['catalogue/', 'calendar/'],
  'site/': ['api/', 'catalogue/', 'calendar/', 'lock.ts', 'parallel.ts', 'problem.ts', 'system-failure.ts'],
  'client/': ['api/'],
  'browser/': ['client/', 'site/pages/', 'api/'],
  'server/': ['api/', 'site/', 'catalogue/', 'nearest.ts', 'problem.ts', 'system-failure.ts'],
  'published/': [
    'api/',
    'site/',
    'catalogue/',
    'calendar/',
    'parallel.ts',
    'problem.ts',
    'request.ts',
    'system-failure.ts',
  ],
  'publish/': ['api/', 'site/', 'published/', 'parallel.ts', 'problem.ts', 'request.ts'],
  'sharing/': ['source/', 'site/', 'catalogue/', 'problem.ts'],
  'live-site.ts': ['build.ts', 'sharing/', 'source/', 'site/', 'api/', 'catalogue/', 'calendar/', 'system-failure.ts'],
  'build.ts': [
    'sharing/',
    'source/',
    'site/',
    'published/',
    'api/',
    'catalogue/',
    'calendar/',
    'problem.ts',
    'system-failure.ts',
  ],
  'cli/': ['*'],
};

/** Each package has one door; the rest of src/ knows it, if at all, by its types. */
const doors: Readonly<Record<string, readonly string[]>> = {
  commander: ['cli/'],
  zod: ['source/', 'api/schemas.ts'],
  'date-fns': ['calendar/'],
  'fastest-levenshtein': ['nearest.ts'],
  'fast-glob': ['published/read-site.ts'],
  'jsonc-parser': ['source/json-text.ts'],
  'ical.js': ['source/ics/'],
  'windows-iana': ['source/ics/'],
  'csv-parse': ['source/csv/'],
  'http-server': ['server/preview.ts'],
  aws4fetch: ['publish/'],
};

/** What is pure stays pure: these places import no Node module, and the disk is touched in few of the others. */
const nodeModules: Readonly<Record<string, readonly string[]>> = {
  'problem.ts': [],
  'nearest.ts': [],
  'parallel.ts': [],
  'calendar/': [],
  'catalogue/': [],
  'api/': [],
  'client/': [],
  'server/handler.ts': [],
  'build.ts': [],
};

/** These run where there is no Node: a worker, a browser. Whatever they load, and what that loads, has to run there too. */
const portable = ['api/', 'client/', 'server/handler.ts', 'server/worker.ts', 'browser/'];

/** The one file of those that is never loaded there: only its types are used. */
const typesOnly = 'api/schemas.ts';

/** Who reads the clock: the shell, once; and what runs on its own: client, pages, the worker, the server for Node. */
const clocks = ['cli/main.ts', 'client/', 'browser/', 'server/worker.ts', 'server/node-server.ts'];

interface Import {
  readonly from: string;
  /** A file of src/, a package or a Node module. */
  readonly to: string;
  readonly isType: boolean;
  /** Loaded when it is needed, and not with the file. */
  readonly isLazy: boolean;
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'))
  .toSorted();
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));
const imports = files.flatMap((file) => importsOf(file, texts.get(file) ?? ''));

function importsOf(file: string, text: string): Import[] {
  const early = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^;']*?\sfrom\s+)?'([^']+)'/gm);
  const late = text.matchAll(/(?:\bimport\(\s*|createRequire\(import\.meta\.url\)\()'([^']+)'/g);
  const resolved = (to: string): string => (to.startsWith('.') ? posix.join(dirname(file), to) : to);
  return [
    ...[...early].map(([, type, to = '']) => ({
      from: file,
      to: resolved(to),
      isType: type !== undefined,
      isLazy: false,
    })),
    ...[...late].map(([, to = '']) => ({ from: file, to: resolved(to), isType: false, isLazy: true })),
  ];
}

function isIn(file: string, place: string): boolean {
  return place === '*' || (place.endsWith('/') ? file.startsWith(place) : file === place);
}

function isOurs(file: string): boolean {
  return texts.has(file);
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

function shown({ from, to }: Import): string {
  return `${from} imports ${to}`;
}

test('the imports are all found', () => {
  expect(files.length).toBeGreaterThan(120);
  const written = [...texts.values()].join('\n').matchAll(/\bfrom '|\bimport\('|\bimport '|import\.meta\.url\)\('/g);
  expect(imports.length).toBe([...written].length);
  const unknown = imports.filter(({ to }) => to.endsWith('.ts') && !isOurs(to));
  expect(unknown.map(shown)).toEqual([]);
});

describe('directions', () => {
  test('every file has a place', () => {
    const places = Object.keys(directions);
    expect(files.filter((file) => !places.some((place) => isIn(file, place)))).toEqual([]);
  });

  test.each(Object.entries(directions))('%s imports itself and %j', (place, allowed) => {
    const wrong = imports.filter(({ from, to }) => {
      return isIn(from, place) && isOurs(to) && ![place, ...allowed].some((other) => isIn(to, other));
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  test('no row allows what nobody needs', () => {
    const unused = Object.entries(directions).flatMap(([place, allowed]) => {
      const needs = imports.filter(({ from }) => isIn(from, place));
      const idle = allowed.filter((other) => other !== '*' && !needs.some(({ to }) => isIn(to, other)));
      return idle.map((other) => `${place} imports nothing of ${other}`);
    });
    expect(unused).toEqual([]);
  });

  test('no file loads itself by way of others', () => {
    expect(files.filter((file) => reached([file], ({ isType }) => !isType).has(file))).toEqual([]);
  });
});

describe('doors', () => {
  test('every package has one', () => {
    const packages = imports.filter(({ to }) => !isOurs(to) && !to.startsWith('node:') && !to.endsWith('.json'));
    expect(packages.filter(({ to }) => doors[packageOf(to)] === undefined).map(shown)).toEqual([]);
  });

  test.each(Object.entries(doors))('%s comes in by %j alone', (name, places) => {
    const wrong = imports.filter(({ from, to, isType }) => {
      return !isType && packageOf(to) === name && !places.some((place) => isIn(from, place));
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  test('what a run needs is a dependency of the package', () => {
    const { dependencies } = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const needed = imports.filter(({ to, isType }) => !isType && !isOurs(to) && doors[packageOf(to)] !== undefined);
    expect(needed.filter(({ to }) => dependencies[packageOf(to)] === undefined).map(shown)).toEqual([]);
  });
});

describe('Node', () => {
  test.each(Object.entries(nodeModules))('%s imports no Node module but %j', (place, allowed) => {
    const wrong = imports.filter(
      ({ from, to }) => isIn(from, place) && to.startsWith('node:') && !allowed.includes(to),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  test('nothing starts another program: the bundle has no node:child_process', () => {
    expect(imports.filter(({ to }) => to === 'node:child_process').map(shown)).toEqual([]);
  });

  test('Node modules are imported by their full name', () => {
    const bare = imports.filter(({ to }) => /^(fs|path|os|url|util|crypto|module|http|child_process)(\/|$)/.test(to));
    expect(bare.map(shown)).toEqual([]);
  });

  test.each(portable)('%s loads nothing that needs Node, nor any package', (place) => {
    const starts = files.filter((file) => isIn(file, place) && file !== typesOnly);
    const loaded = reached(starts, ({ isType }) => !isType);
    expect([...loaded].filter((name) => !isOurs(name) || name === typesOnly)).toEqual([]);
    const needy = [...starts, ...loaded].filter((file) =>
      /\b(process|Buffer|__dirname)\b\./.test(texts.get(file) ?? ''),
    );
    expect(needy).toEqual([]);
  });
});

test('nobody reads the clock but the shell, and what runs on its own', () => {
  const readers = files.filter((file) =>
    /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bprocess\.hrtime\b/.test(texts.get(file) ?? ''),
  );
  expect(readers.filter((file) => !clocks.some((place) => isIn(file, place)))).toEqual([]);
  expect(readers).toContain('cli/main.ts');
});

test('a build loads few files, no package that is not in them, little of Node, and asks Intl for no zone', async () => {
  const cwd = tempFolder();
  const spy = join(cwd, 'spy.cjs');
  const loaded = join(cwd, 'loaded.json');
  writeFileSync(
    spy,
    `const asked = [];
    Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
      construct: (format, [locale, options]) => new format(locale, (asked.push(options.timeZone), options)),
    });
    process.on('exit', () => {
      const loaded = { files: Object.keys(require.cache), node: process.moduleLoadList, asked };
      require('node:fs').writeFileSync(${JSON.stringify(loaded)}, JSON.stringify(loaded));
    });`,
  );
  const data = join(import.meta.dirname, 'fixtures/client/data');
  const options = ['--data', data, '--now', '2026-11-20T12:17:00Z', '--base-url', 'https://example.org', '--quiet'];
  expect(await spawnAlmanac(['build', ...options], { cwd, node: ['--require', spy] })).toMatchObject({ code: 0 });
  const found = JSON.parse(readFileSync(loaded, 'utf8')) as Record<'files' | 'node' | 'asked', string[]>;
  const { files: own, node, asked } = found;
  expect(own).toContain(realpathSync(almanac));
  expect(own.filter((file) => file.includes('node_modules'))).toEqual([]);
  expect(own.length).toBeLessThan(11);
  expect(node).toContain('NativeModule fs');
  expect(node.filter((name) => /^NativeModule (child_process|worker_threads|perf_hooks|net)$/.test(name))).toEqual([]);
  expect(readFileSync(join(data, 'tv/drama/severance.json'), 'utf8')).toContain('"zone": "America/New_York"');
  expect(asked).toEqual([]);
});

test('the second thread loads no package', () => {
  const bin = dirname(almanac);
  const worker = readFileSync(join(bin, 'second-thread-worker.js'), 'utf8');
  const loaded = [...worker.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, to = '']) => to);
  expect(loaded).toContainEqual(expect.stringMatching(/^\.\/shared-/));
  expect(loaded.filter((to) => !to.startsWith('./') && !to.startsWith('node:'))).toEqual([]);
});

test('the bundle loads everything by require: of what V8 has kept, Node 20 can answer no import()', () => {
  const bundle = readdirSync(dirname(almanac)).filter((file) => file.endsWith('.js'));
  expect(bundle.length).toBeGreaterThan(20);
  const code = (file: string): string =>
    readFileSync(join(dirname(almanac), file), 'utf8').replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  expect(bundle.filter((file) => /\bimport\s*\(/.test(code(file)))).toEqual([]);
});

test('heavy packages are loaded only when they are needed: none comes with the command line itself', () => {
  const atStart = reached(['cli/main.ts', 'cli/program.ts'], ({ isType, isLazy }) => !isType && !isLazy);
  const heavy = [...atStart].filter((name) => !isOurs(name) && !name.startsWith('node:') && !name.endsWith('.json'));
  expect(heavy).toEqual(['commander']);
});

/** Everything that is imported, and imported by that, and so on, starting from some files. */
function reached(starts: readonly string[], follows: (one: Import) => boolean): Set<string> {
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
