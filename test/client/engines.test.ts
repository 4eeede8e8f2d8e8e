import { buildSync } from 'esbuild';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Preview } from '../../src/server/preview.ts';
import { chromiumPath, launchBrowser } from '../setup/browser.ts';
import { clientAnswers, clientProgram, previewForClient } from '../setup/client-program.ts';

/* The client answers the same in Chromium, Node.js and workerd. `npm run test:tools` asks it in Deno and Bun. */

let preview: Preview;
beforeAll(async () => (preview = await previewForClient()));
afterAll(() => preview.close());

/**
 * Bundles the program with the client into one module, or into a script that declares `program`.
 */
function bundle(format: 'esm' | 'iife'): string {
  const stdin = { contents: clientProgram(preview.address), resolveDir: '.' };
  const { outputFiles } = buildSync({
    stdin,
    bundle: true,
    format,
    globalName: 'program',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

test.skipIf(chromiumPath === null)('a page runs the client', async () => {
  const page = await (await launchBrowser()).newPage();
  await page.goto(`${preview.address}/404.html`);
  expect(await page.evaluate(`${bundle('iife')}; program.ask()`)).toEqual(clientAnswers);
});

test('workerd runs the client', async () => {
  const engine = new Miniflare({
    modules: [
      {
        type: 'ESModule',
        path: 'worker.js',
        contents: `import { ask } from './program.js'; export default { fetch: async () => Response.json(await ask()) };`,
      },
      { type: 'ESModule', path: 'program.js', contents: bundle('esm') },
    ],
    compatibilityDate: '2026-04-01',
  });
  onTestFinished(async () => engine.dispose());
  const response = await engine.dispatchFetch('http://worker/');
  expect(await response.json()).toEqual(clientAnswers);
});
