import { Resvg } from '@resvg/resvg-js';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { jsonSchemas } from './api/openapi/json-schemas.ts';

/*
 * The second half of `npm run compile`. The first half is tsc, which writes modules to `.compiled/`. This half adds the
 * module that it generates from schemas, and bundles everything into `lib/`. The package consists of `lib/`,
 * so only what runs or types an export is written there.
 */
rmSync('lib', { recursive: true, force: true });

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

/** The types of the client and its documents. The ones that tsc writes import zod and describe no field. */
const typeNames: Readonly<Record<string, string>> = {
  Index: 'IndexDocument',
  Categories: 'CategoriesDocument',
  Category: 'CategoryRecord',
  Genres: 'GenresDocument',
  Genre: 'GenreRecord',
  Events: 'EventsDocument',
  Event: 'EventRecord',
  Next: 'NextDocument',
  Now: 'NowDocument',
  Announced: 'AnnouncedDocument',
  Announcement: 'AnnouncementRecord',
  Subjects: 'SubjectsDocument',
  Subject: 'SubjectRecord',
  Lists: 'ListsDocument',
  List: 'ListRecord',
  SubjectDocument: 'SubjectDocument',
  Changes: 'ChangesDocument',
  Change: 'ChangeRecord',
};
const definitions = Object.entries(jsonSchemas).map(([name, schema]) => [typeNames[name] ?? name, schema]);
const anyOf = Object.values(typeNames).map((name) => ({ $ref: `#/definitions/${name}` }));
const definitionsText = JSON.stringify({ definitions: Object.fromEntries(definitions), anyOf }).replaceAll(
  /#\/components\/schemas\/(\w+)/g,
  (_ref, name: string) => `#/definitions/${typeNames[name]}`,
);
const types = compile(JSON.parse(definitionsText) as JSONSchema, 'AnyDocument', { additionalProperties: false });
cpSync('.compiled/client', 'lib/client', { recursive: true, filter: (path) => !path.endsWith('.js') });
mkdirSync('lib/api');
writeFileSync('lib/api/documents.d.ts', await types);

/** Bundles the JSON Schemas of the interface as data, so that a build need not load zod. */
const jsonSchemasAsData: Plugin = {
  name: 'json-schemas-as-data',
  setup: (bundler) => {
    bundler.onLoad({ filter: /[\\/]openapi[\\/]json-schemas\.js$/ }, () => ({
      contents: `export const jsonSchemas = ${JSON.stringify(jsonSchemas)};`,
    }));
  },
};

const shared: BuildOptions = { bundle: true, target: 'es2022', logLevel: 'warning' };

/** The footer of the pages links to the project as soon as its package names a repository. */
const [, repositoryPath] = /^github:(?!OWNER\/)(.*)$/.exec(manifest.repository) ?? [];
const projectAddress = repositoryPath === undefined ? null : `https://github.com/${repositoryPath}`;

/**
 * The command line, and the worker that renders genres. Each is one file, because Node
 * takes a millisecond to find and link a file. It is CommonJS, which starts faster than modules. Packages stay outside,
 * and most of them are loaded only when a command needs them.
 */
await build({
  ...shared,
  entryPoints: {
    start: '.compiled/cli/start.js',
    'thread-worker': '.compiled/builder/thread-worker.js',
  },
  outdir: 'lib/bin',
  platform: 'node',
  packages: 'external',
  plugins: [jsonSchemasAsData],
  format: 'cjs',
  define: {
    'import.meta.dirname': '__dirname',
    'import.meta.url': '__filename',
    projectAddress: JSON.stringify(projectAddress),
  },
});
writeFileSync('lib/bin/package.json', '{ "type": "commonjs" }\n');

/** The file that starts the command line, also on a Node.js that cannot run the others. require() saves 40 ms. */
await build({
  ...shared,
  entryPoints: ['.compiled/cli/main.js'],
  outdir: 'lib/bin',
  platform: 'node',
  format: 'cjs',
  target: 'es2016',
  supported: { 'dynamic-import': false },
  external: ['./start.js'],
});

/** The client as it is imported from the package. Its entry points share one class of errors, so they share a file. */
await build({
  ...shared,
  entryPoints: ['index', 'bulk', 'changes'].map((name) => `.compiled/client/${name}.js`),
  outdir: 'lib/client',
  format: 'esm',
  splitting: true,
});

/** The icons for devices and the picture of link previews, drawn from their SVG. */
const assets = 'lib/bundle/pages/browser';
mkdirSync(assets, { recursive: true });
const icon = readFileSync('src/pages/browser/icon.svg');
const drawings = [
  ...[180, 192, 512].map((width) => ({ name: `icon-${width}.png`, svg: icon, width })),
  { name: 'preview.png', svg: readFileSync('src/pages/browser/preview.svg'), width: 1200 },
];
for (const { name, svg, width } of drawings) {
  const image = new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng();
  writeFileSync(`${assets}/${name}`, image);
}

/** The icon that browsers ask for at the root of a host: a PNG with the header of an ICO file with one image. */
const small = new Resvg(icon, { fitTo: { mode: 'width', value: 32 } }).render().asPng();
const header = Buffer.from([0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
header.writeUInt32LE(small.length, 14);
writeFileSync(`${assets}/favicon.ico`, Buffer.concat([header, small]));

/** The types of the client in one file. The declarations of its modules have different names, so one module has all. */
const declarations = ['request', 'render-when', 'client'].map((name) =>
  readFileSync(`.compiled/client/${name}.d.ts`, 'utf8').replace(/^(?:import .*|export \{\};)\n/gm, ''),
);
const exports = readFileSync('.compiled/client/index.d.ts', 'utf8').matchAll(/^export (type )?\{(.*)\} from/gm);
const exportLines = Array.from(exports, ([, type = '', list = '']) => `export ${type}{${list}};\n`);
const modules = [await types, ...declarations].join('').replace(/^export /gm, '');
mkdirSync('lib/bundle/client', { recursive: true });
writeFileSync('lib/bundle/client/index.d.ts', modules + exportLines.join(''));

const pageAssets = ['app.ts', 'search-worker.ts', 'style.css', 'icon.svg'];

/** The scripts and styles of the pages, the client that a site serves, and the request handler that hosts run. */
await build({
  ...shared,
  entryPoints: [
    ...pageAssets.map((name) => `src/pages/browser/${name}`),
    ...['handler', 'worker', 'node'].map((name) => `src/server/${name}.ts`),
    'src/client/index.ts',
  ],
  outbase: 'src',
  outdir: 'lib/bundle',
  format: 'esm',
  minify: true,
  external: ['node:*'],
  loader: { '.svg': 'copy' },
});
const client = readFileSync('lib/bundle/client/index.js', 'utf8');
writeFileSync('lib/bundle/client/index.js', `/* @ts-self-types="./client.d.ts" */\n${client}`);

/** The element for the pages of other people. As a script of the old kind, it needs no permission of its host. */
const wordFiles = readdirSync('src/pages/words').filter((name) => name.endsWith('.json'));
const embedWords = wordFiles.map((name) => {
  const { pages } = JSON.parse(readFileSync(`src/pages/words/${name}`, 'utf8')) as { pages: Record<string, string> };
  const { nothing, embedFailed, loading } = pages;
  return [name.replace('.json', ''), { nothing, embedFailed, loading }] as const;
});
await build({
  ...shared,
  entryPoints: ['src/pages/browser/embed.ts'],
  outdir: assets,
  format: 'iife',
  minify: true,
  define: { embedWords: JSON.stringify(Object.fromEntries(embedWords)) },
});

/** The JSON Schemas of source files, for editors. A test keeps them equal to what the program accepts. */
cpSync('data/.schemas', 'lib/schemas', { recursive: true });

/** The templates of the files that hosts need, and of a new catalogue. */
for (const [from, to] of [
  ['src/hosts', 'lib/hosts'],
  ['src/cli/init', 'lib/init'],
] as const) {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.ts') });
}
cpSync('.github/workflows/announce.yml', 'lib/init/workflows/announce.yml');
cpSync('.github/dependabot.yml', 'lib/init/dependabot.yml');

/** The client as a package of its own, without dependencies, which the release packs. */
const clientPackage = '.compiled/client-package';
rmSync(clientPackage, { recursive: true, force: true });
for (const folder of ['client', 'api']) cpSync(`lib/${folder}`, `${clientPackage}/${folder}`, { recursive: true });
cpSync('LICENSE', `${clientPackage}/LICENSE`);
cpSync('src/client/README.md', `${clientPackage}/README.md`);
const entry = (path: string): object => ({ types: `./client/${path}.d.ts`, default: `./client/${path}.js` });
const clientManifest = {
  name: `${manifest.name}-client`,
  version: manifest.version,
  description: 'A small typed client of catalogues of upcoming events that almanac publishes',
  keywords: ['events', 'calendar', 'catalogue', 'client'],
  license: manifest.license,
  repository: manifest.repository,
  type: 'module',
  exports: { '.': entry('index'), './bulk': entry('bulk'), './changes': entry('changes') },
  sideEffects: false,
};
writeFileSync(`${clientPackage}/package.json`, `${JSON.stringify(clientManifest, null, 2)}\n`);

type Manifest = Readonly<Record<'name' | 'version' | 'license' | 'repository', string>>;
