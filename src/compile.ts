import { Resvg } from '@resvg/resvg-js';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { jsonSchemas } from './api/openapi/json-schemas.ts';

/*
 * The second half of `npm run compile`. The first half is tsc, which writes modules to
 * `.compiled/`. This half bundles them into `lib/`. The package consists of `lib/`, so only what
 * runs or types an export is written there.
 */
rmSync('lib', { recursive: true, force: true });

/**
 * The types of the documents that the client exports, from their schemas: those of tsc import zod
 * and describe no field.
 */
const exported = readFileSync('.compiled/client/index.d.ts', 'utf8');
const [, documentTypes = ''] =
  /^export type \{ (.*), \} from '\.\.\/api\/documents/m.exec(exported) ?? [];
const schemaOf = (type: string): string =>
  type in jsonSchemas ? type : type.replace(/(?:Document|Record)$/, '');
const typeNames = new Map(documentTypes.split(', ').map((type) => [schemaOf(type), type]));
const definitions = Object.entries(jsonSchemas).map(([name, schema]) => [
  typeNames.get(name) ?? name,
  schema,
]);
const anyOf = Array.from(typeNames.values(), (name) => ({ $ref: `#/definitions/${name}` }));
const definitionsText = JSON.stringify({
  definitions: Object.fromEntries(definitions),
  anyOf,
}).replaceAll(
  /#\/components\/schemas\/(\w+)/g,
  (_ref, name: string) => `#/definitions/${typeNames.get(name)}`,
);
const types = await compile(JSON.parse(definitionsText) as JSONSchema, 'AnyDocument', {
  additionalProperties: false,
});

/** Bundles the JSON Schemas of the interface as data, so that a build need not load zod. */
const jsonSchemasAsData: Plugin = {
  name: 'json-schemas-as-data',
  setup: (bundler) => {
    bundler.onLoad({ filter: /[\\/]openapi[\\/]json-schemas\.js$/ }, () => ({
      contents: `export const jsonSchemas = ${JSON.stringify(jsonSchemas)};`,
    }));
  },
};

const shared: BuildOptions = {
  bundle: true,
  target: 'es2022',
  logLevel: 'warning',
};

/** The footer of the pages links to the project as soon as its package names a repository. */
const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as { repository: string };
const [, repositoryPath] = /^github:(?!OWNER\/)(.*)$/.exec(repository) ?? [];
const projectAddress = repositoryPath === undefined ? null : `https://github.com/${repositoryPath}`;

/**
 * The command line with its packages, in one file, because Node takes a millisecond to find and
 * link a file. It is CommonJS, which starts faster than modules. What only some commands need is
 * evaluated when they do. The server of files is a package of old modules, and stays outside.
 */
const { metafile } = await build({
  ...shared,
  entryPoints: ['.compiled/cli/start.js'],
  entryNames: '[name]',
  outdir: 'lib/bin',
  platform: 'node',
  plugins: [jsonSchemasAsData],
  // One package looks for its own files at run time, unless its modules are taken.
  mainFields: ['module', 'main'],
  external: ['http-server/*'],
  metafile: true,
  format: 'cjs',
  define: {
    'import.meta.dirname': '__dirname',
    'import.meta.url': '__filename',
    projectAddress: JSON.stringify(projectAddress),
  },
});
writeFileSync('lib/bin/package.json', '{ "type": "commonjs" }\n');

/** The licences of the packages in that file, which their texts ask to be passed on. */
const bundled = new Set(
  Object.keys(metafile.inputs).flatMap(
    (path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  ),
);
const licences = [...bundled].toSorted().map((folder) => {
  const name = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (name === undefined) throw new Error(`${folder} has no licence to pass on`);
  return `${folder.slice('node_modules/'.length)}\n\n${readFileSync(`${folder}/${name}`, 'utf8')}`;
});
writeFileSync('lib/bin/LICENSES.txt', licences.join(`\n${'-'.repeat(80)}\n\n`));

/**
 * The file that starts the command line, also on a Node.js that cannot run the others. require()
 * saves 40 ms.
 */
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

/**
 * The client, as the package exports it and as each site serves it: one module, and one file with
 * its types.
 */
await build({
  ...shared,
  entryPoints: { client: '.compiled/client/index.js' },
  outdir: 'lib/client',
  format: 'esm',
  minify: true,
  banner: { js: '/* @ts-self-types="./client.d.ts" */' },
});
const declarations = ['request', 'entries', 'client'].map((name) =>
  readFileSync(`.compiled/client/${name}.d.ts`, 'utf8').replace(
    /^(?:import .*|export \{\};)\n/gm,
    '',
  ),
);
const exportLines = Array.from(
  exported.matchAll(/^export (type )?\{(.*)\} from/gm),
  ([, type = '', list = '']) => `export ${type}{${list}};\n`,
);
const modules = [types, ...declarations].join('').replace(/^export /gm, '');
writeFileSync('lib/client/client.d.ts', modules + exportLines.join(''));

/** The icons for devices and the picture of link previews, drawn from their SVG. */
const assets = 'lib/bundle/pages/browser';
mkdirSync(assets, { recursive: true });
const drawings = [
  ...[180, 192, 512].map((width) => [`icon-${width}.png`, 'icon', width] as const),
  // Browsers ask for it at the root of a host, and recognise a PNG by its first bytes.
  ['favicon.ico', 'icon', 32] as const,
  ['preview.png', 'preview', 1200] as const,
];
for (const [name, drawing, value] of drawings) {
  // A site may have any accent, and nothing draws when it is built.
  const svg = readFileSync(`src/pages/browser/${drawing}.svg`, 'utf8').replaceAll(
    '#8f2d0f',
    '#211d17',
  );
  writeFileSync(
    `${assets}/${name}`,
    new Resvg(svg, { fitTo: { mode: 'width', value } }).render().asPng(),
  );
}

/** The scripts and styles of the pages, and the request handler that hosts run. */
await build({
  ...shared,
  entryPoints: [
    ...['app.ts', 'search.ts', 'search-worker.ts', 'style.css', 'icon.svg'].map(
      (name) => `src/pages/browser/${name}`,
    ),
    ...['handler', 'worker', 'node'].map((name) => `src/server/${name}.ts`),
  ],
  outbase: 'src',
  outdir: 'lib/bundle',
  format: 'esm',
  minify: true,
  external: ['node:*'],
  loader: { '.svg': 'copy' },
});

/**
 * The element for the pages of other people. As a script of the old kind, it needs no permission of
 * its host.
 */
const wordFiles = readdirSync('src/pages/words').filter((name) => name.endsWith('.json'));
const embedWords = wordFiles.map((name) => {
  const { pages } = JSON.parse(readFileSync(`src/pages/words/${name}`, 'utf8')) as {
    pages: Record<string, string>;
  };
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

/**
 * The JSON Schemas of source files, and the templates of hosts and new catalogues. The other
 * workflows are almanac's own.
 */
const copies = {
  'data/.schemas': 'lib/schemas',
  'src/hosts': 'lib/hosts',
  'src/cli/init': 'lib/init',
  '.github/dependabot.yml': 'lib/init/dependabot.yml',
  '.github/workflows': 'lib/init/workflows',
};
for (const [from, to] of Object.entries(copies))
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !/\.ts$|[\\/](ci|release|zones)\.yml$/.test(path),
  });
