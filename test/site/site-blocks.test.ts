import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSite } from '../../src/site/site.ts';
import { tempFolder } from '../setup/folders.ts';
import { listen } from '../setup/host.ts';

const content = Buffer.alloc(33 * 1024 ** 2, 'almanac and a number of letters that is odd');

/** Reads a file of a site in blocks. Returns its hash and the size of the largest block. */
async function readAll(at: string): Promise<{ sha256: string; largest: number }> {
  const sum = createHash('sha256');
  let largest = 0;
  for await (const block of (await openSite(at, '.').blocks('events.ndjson', content.length)) ?? []) {
    sum.update(block);
    largest = Math.max(largest, block.length);
  }
  return { sha256: sum.digest('hex'), largest };
}

const sha256 = createHash('sha256').update(content).digest('hex');

/** Serves the file in ranges, with an ETag for each request. */
function ranges(etagOf: (request: number) => string): RequestListener {
  let requests = 0;
  return ({ headers }, response) => {
    const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const range = content.subarray(+from, +to + 1);
    response.writeHead(range.length === 0 ? 416 : 206, { etag: etagOf(requests++) }).end(range);
  };
}

async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await listen(listener);
  onTestFinished(close);
  return url;
}

test('a large file is read in blocks, from a folder and from hosts with and without ranges', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'events.ndjson'), content);
  const inFolder = await readAll(folder);
  expect(inFolder.sha256).toBe(sha256);
  expect(inFolder.largest).toBeLessThan(1024 ** 2);
  const inRanges = await readAll(await serve(ranges(() => '"a"')));
  expect(inRanges).toEqual({ sha256, largest: 32 * 1024 ** 2 });
  expect((await readAll(await serve((_, response) => void response.end(content)))).sha256).toBe(sha256);
});

test('fails if a file changes between two ranges', async () => {
  const url = await serve(ranges((request) => `"${request}"`));
  await expect(readAll(url)).rejects.toThrow('it changed while it was read');
});
