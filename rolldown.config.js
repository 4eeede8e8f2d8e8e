import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

/**
 * Packages that only some commands need, or a build where something is wrong: each is loaded when it is, in its CommonJS
 * build.
 */
const loadedLater = new Set([
  'aws4fetch',
  'csv-parse',
  'fast-glob',
  'http-server',
  'ical.js',
  'jsonc-parser',
  'windows-iana',
  'zod',
]);

/** What commander would run commands with that are programs of their own, and takes five milliseconds to load. */
const neverUsed = 'node:child_process';

/**
 * The program as few files, with the packages that it always needs: Node takes a millisecond to find and link each.
 * They are CommonJS, which Node starts in three quarters of the time that modules take.
 */
export default defineConfig({
  input: {
    main: 'lib/cli/main.js',
    compile: 'lib/cli/compile.js',
    'second-thread-worker': 'lib/sharing/second-thread-worker.js',
  },
  platform: 'node',
  resolve: { alias: { [neverUsed]: false } },
  external: (id) => (id.startsWith('node:') && id !== neverUsed) || loadedLater.has(packageOf(id)),
  plugins: [
    { name: 'zones', load: loadKnownZones },
    { name: 'licences', generateBundle: addLicences },
    { name: 'format', generateBundle: tellFormat },
  ],
  output: {
    format: 'cjs',
    dir: 'lib/bin',
    cleanDir: true,
    codeSplitting: {
      groups: [
        // What loads the others can't be in one of them.
        { name: 'compiled', test: /[\\/]cli[\\/]compiled\.js$/ },
        { name: (id, modules) => (needsLater(id, modules) ? null : 'shared'), debugName: 'shared', minShareCount: 2 },
      ],
    },
  },
});

/** The name of the package in `zod` or `csv-parse/sync`. */
function packageOf(id) {
  return id.split('/')[0];
}

/** Whether a module or what it imports at once needs a package that is loaded later. */
function needsLater(id, modules, seen = new Set()) {
  if (loadedLater.has(packageOf(id))) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return modules.getModuleInfo(id)?.importedIds.some((inner) => needsLater(inner, modules, seen)) ?? false;
}

/** Gives the program what this Node knows of zones: to ask Intl takes it a tenth of the build of a small catalogue. */
async function loadKnownZones(id) {
  if (!/[\\/]calendar[\\/]known-zones\.js$/.test(id)) return null;
  const { makeZoneTable } = await import('./lib/calendar/make-zone-table.js');
  return `export const knownZones = ${JSON.stringify(makeZoneTable())};`;
}

/** Puts the licence of every package in the bundle beside it, as they ask. */
function addLicences() {
  const ids = [...this.getModuleIds()].map((id) => id.replaceAll('\\', '/'));
  const folders = ids.flatMap((id) => /^[^\0]*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  for (const folder of new Set(folders)) {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    if (file === undefined) throw new Error(`${folder} is in the bundle and has no licence to put beside it`);
    const fileName = `licences/${folder.replace(/^.*\/node_modules\//, '')}.txt`;
    this.emitFile({ type: 'asset', fileName, source: readFileSync(`${folder}/${file}`) });
  }
}

/** The package as a whole holds modules. */
function tellFormat() {
  this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
}
