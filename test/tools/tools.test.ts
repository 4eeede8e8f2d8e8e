import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventsDocument } from '../../src/api/documents.ts';
import { openPreview, type Preview } from '../../src/server/preview.ts';
import { lastingFolder } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { generators, type Generator } from './generators.ts';

const run = promisify(execFile);
const now = '2026-11-20T12:17:00Z';
const genre = 'drama-tv';
/** Below this folder, so that the generated modules find its packages. */
const output = join(import.meta.dirname, 'output');

let site: string;
let preview: Preview;

beforeAll(async () => {
  rmSync(output, { recursive: true, force: true });
  const cwd = lastingFolder();
  site = join(cwd, 'dist');
  preview = await openPreview({
    folder: site,
    host: '127.0.0.1',
    port: 0,
    now: () => Date.parse(now),
  });
  const data = join(import.meta.dirname, '../conformance/data');
  const options = ['--data', data, '--now', now, '--base-url', preview.address];
  expect(await runAlmanac(['build', ...options], { cwd })).toMatchObject({ code: 0 });
});
afterAll(() => preview.close());

/** Runs a program of the packages of this folder. Returns its output. */
async function runTool([name = '', ...args]: readonly string[], cwd: string): Promise<string> {
  const tool = join(import.meta.dirname, 'node_modules/.bin', name);
  const { stdout } = await run(tool, args, {
    cwd,
    env: { ...process.env, SCARF_ANALYTICS: 'false' },
  }).catch((error: { stdout: string; stderr: string }) =>
    Promise.reject(new Error(error.stdout + error.stderr)),
  );
  return stdout;
}

/** Generates a client in an empty folder, with a module that uses it. Returns the folder. */
async function generate(name: string, { command, files = {}, user }: Generator): Promise<string> {
  const folder = join(output, name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(site, 'api/v1/openapi.json'), join(folder, 'openapi.json'));
  const [imports, code] = [
    user.match(/^\s*import .*$/gm) ?? [],
    user.replaceAll(/^\s*import .*$/gm, ''),
  ];
  const main = `${imports.join('\n')}
    const [baseUrl, genre]: [string, string] = [${JSON.stringify(preview.address)}, ${JSON.stringify(genre)}];
    let list: { readonly total: number; readonly events: readonly { readonly id: string; readonly title: string }[] };
    ${code}
    console.log(JSON.stringify([list.total, list.events.map(({ id, title }) => [id, title])]));
  `;
  for (const [path, text] of Object.entries({ ...files, 'main.ts': main }))
    writeFileSync(join(folder, path), text);
  await runTool(command, folder);
  return folder;
}

test.each(Object.entries(generators))(
  '%s generates a client that compiles and calls the service',
  async (name, tool) => {
    const folder = await generate(name, tool);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      module: 'esnext',
      moduleResolution: 'bundler',
    };
    const config = {
      compilerOptions: {
        ...compilerOptions,
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: [],
      },
      files: ['main.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    expect(await runTool(['tsc', '-p', '.'], folder)).toBe('');

    const outfile = join(folder, 'main.mjs');
    await build({
      entryPoints: [join(folder, 'main.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    });
    const { stdout } = await run(process.execPath, [outfile]);
    const response = await fetch(`${preview.address}/api/v1/events?genre=${genre}&limit=2`);
    const { total, events } = (await response.json()) as EventsDocument;
    expect(events).toHaveLength(2);
    expect(JSON.parse(stdout)).toEqual([total, events.map(({ id, title }) => [id, title])]);
  },
);
