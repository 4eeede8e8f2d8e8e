import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { buildSite } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';
import { serve, serveFolder } from '../setup/serve-folder.ts';

const env = { AWS_ACCESS_KEY_ID: 'a'.repeat(16), AWS_SECRET_ACCESS_KEY: 'b'.repeat(32) };

/** Lets two minutes end at once. */
function shortenDeadlines(): void {
  const schedule = globalThis.setTimeout;
  const shorten = (call: () => void, milliseconds?: number): NodeJS.Timeout =>
    schedule(call, milliseconds === 120_000 ? 20 : milliseconds);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(shorten);
}

test.each<[string, readonly string[]]>([
  ['verify', ['verify', 'HOST']],
  ['verify --max-age', ['verify', 'HOST', '--max-age', '36h']],
  ['diff', ['diff', 'HOST', '--now', now]],
  ['build', ['build', '--against', 'HOST', '--now', now]],
  ['publish', ['publish', 's3://bucket', '--endpoint', 'HOST']],
])('%s gives a host that sends one byte and then nothing two minutes', async (_, args) => {
  const host = await serve((_request, response) => void response.writeHead(200).write('{'));
  const cwd = writeTree(tempFolder(), sample);
  await buildSite({ 'tv/d/s': { Gala: '2028-01-15' } }, now, {
    cwd: tempFolder(),
    out: join(cwd, 'dist'),
  });
  shortenDeadlines();
  try {
    const command = args.map((part) => (part === 'HOST' ? host : part));
    const { code, stderr } = await runAlmanac(command, { cwd, env });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/could not be read within 120 seconds/),
    });
  } finally {
    vi.restoreAllMocks();
  }
});

test('a host with many files is verified without a warning of Node', async () => {
  const warnings: string[] = [];
  const collect = ({ message }: Error): number => warnings.push(message);
  process.on('warning', collect);
  try {
    const site = await buildSite({ 'tv/d/s': { Gala: '2028-01-15' } }, now);
    const run = await runAlmanac(['verify', await serveFolder(site)], { cwd: tempFolder() });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    await new Promise((next) => setImmediate(next));
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', collect);
  }
});
