import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mountOf } from '../../src/catalogue/url.ts';
import { now, writeHost } from '../conformance/engines.ts';
import { runRows } from '../conformance/run-rows.ts';
import { buildSite } from '../conformance/site.ts';
import { untilItAnswers } from '../conformance/start-hosts.ts';
import { clientAnswers, previewForClient, runClient } from '../setup/client-program.ts';
import { freePort } from '../setup/processes.ts';

/*
 * Deno and Bun answer every row of the conformance table, at the root of a host and below odd paths, and run the client.
 * Their programs are 200 MB, which is why they are packages of this folder.
 */
const packages = join(import.meta.dirname, 'node_modules');
const runtimes = {
  deno: { program: programIn('@deno', 'deno'), args: ['run', '--allow-net', '--allow-read', '--allow-env'] },
  bun: { program: programIn('@oven', 'bin/bun'), args: [] },
};

/** The program in the package for this platform: the only one of its scope that npm installs. */
function programIn(scope: string, path: string): string {
  const [platform = ''] = readdirSync(join(packages, scope));
  return join(packages, scope, platform, path);
}

const places = [
  ['https://example.org', 'dist'],
  ['https://example.org/caf%C3%A9/a+b*1.0', '#a? "100%" %20'],
] as const;
const runs = (['deno', 'bun'] as const).flatMap((name) => places.map((place) => [name, ...place] as const));

test.each(runs)('%s at %s answers every row', async (name, base, folder) => {
  const site = await buildSite(base, folder);
  const to = await writeHost(name, site);
  const port = await freePort();
  const { program, args } = runtimes[name];
  const env = { PORT: String(port), HOST: '127.0.0.1', HOME: to, NO_COLOR: '1' };
  const running = await untilItAnswers(spawn(program, [...args, join(to, 'server.mjs')], { env }), port, base);
  const results = await runRows(running.ask, now, mountOf(base)).finally(running.close);
  site.remove();
  const failures = results.filter(({ failure }) => failure !== null);
  expect(failures.map(({ row, failure }) => `${row.ability}: ${row.path.slice(0, 100)}: ${failure}`)).toEqual([]);
});

test.each(Object.entries(runtimes))('%s runs the client', async (_, { program, args }) => {
  const { address, close } = await previewForClient();
  onTestFinished(close);
  expect(await runClient([program, ...args], address)).toEqual(clientAnswers);
});
