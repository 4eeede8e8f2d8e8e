import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clientAnswers, previewForClient, runClient } from '../setup/client-program.ts';

/*
 * Deno and Bun run the client. Their programs are 200 MB, which is why they are packages of this
 * folder.
 */
const packages = join(import.meta.dirname, 'node_modules');
const runtimes = {
  deno: {
    program: programIn('@deno', 'deno'),
    args: ['run', '--allow-net', '--allow-read', '--allow-env'],
  },
  bun: { program: programIn('@oven', 'bin/bun'), args: [] },
};

/** The program in the package for this platform: the only one of its scope that npm installs. */
function programIn(scope: string, path: string): string {
  const [platform = ''] = readdirSync(join(packages, scope));
  return join(packages, scope, platform, path);
}

test.each(Object.entries(runtimes))('%s runs the client', async (_, { program, args }) => {
  const { address, close } = await previewForClient();
  onTestFinished(close);
  expect(await runClient([program, ...args], address)).toEqual(clientAnswers);
});
