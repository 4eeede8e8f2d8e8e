import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { catalogueIn, catalogue, now } from '../pages/catalogue.ts';
import { buildTree } from '../setup/build-site.ts';

const run = promisify(execFile);
const checker = join(import.meta.dirname, 'node_modules/vnu-jar/build/dist/vnu.jar');

interface Report {
  readonly messages: readonly {
    readonly type: string;
    readonly url: string;
    readonly message: string;
  }[];
}

/** The Nu HTML checker, which is the reference for valid HTML, reads every page of two sites. */
test.each([
  ['difficult texts', catalogue],
  [
    'every kind of event',
    { ...catalogueIn('pages-catalogue.txt'), ...catalogueIn('pages-varied.txt') },
  ],
])('the pages of a catalogue of %s are valid HTML', async (_, data) => {
  const site = await buildTree(data, now);
  const options = ['--skip-non-html', '--errors-only', '--exit-zero-always', '--format', 'json'];
  const { stderr } = await run('java', ['-jar', checker, ...options, site], { maxBuffer: 1e8 });
  const { messages } = JSON.parse(stderr) as Report;
  const faults = messages.map(({ url, message }) => `${url.slice(url.indexOf(site))}: ${message}`);
  expect(faults.slice(0, 20)).toEqual([]);
});
