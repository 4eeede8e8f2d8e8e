import fc from 'fast-check';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkManifest } from '../setup/check-manifest.ts';
import { schemaOf } from '../setup/documents.ts';
import { readTree, tempFolder } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { countOf, report } from './counts.ts';
import { sourceTree, writeSources, type SourceTree } from './source-trees.ts';

const now = '2026-11-20T12:17:00Z';
/**
 * Control characters, lone surrogates and direction marks, which a terminal interprets or hides.
 */
const unprintable = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const trees = readdirSync(join(import.meta.dirname, 'trees')).filter((name) =>
  name.endsWith('.json'),
);
const examples = trees.map((name): [SourceTree] => [
  JSON.parse(readFileSync(join(import.meta.dirname, 'trees', name), 'utf8')),
]);

test('a build of any data folder gives valid documents or problems', async () => {
  const folder = tempFolder();
  const counts = { built: 0, refused: 0, problems: 0, slowest: 0 };
  const property = fc.asyncProperty(sourceTree, async (tree) => {
    rmSync(folder, { recursive: true, force: true });
    writeSources(join(folder, 'data'), tree);
    const began = process.cpuUsage();
    const problems = await buildIn(folder);
    const { user, system } = process.cpuUsage(began);
    counts.slowest = Math.max(counts.slowest, (user + system) / 1e6);
    counts[problems.length === 0 ? 'built' : 'refused']++;
    counts.problems += problems.length;
    for (const problem of problems) expectPrintable(problem);
    if (problems.length === 0) expectValid(join(folder, 'dist'));
    expect(readdirSync(folder).sort()).toEqual(problems.length === 0 ? ['data', 'dist'] : ['data']);
  });
  await fc.assert(property, { numRuns: countOf('trees'), seed: countOf('seed'), examples });
  const { built, refused, slowest } = counts;
  expect(slowest).toBeLessThan(30);
  const folders = `${built + refused} data folders: ${built} built and valid, ${refused} refused`;
  report(
    `${folders} with ${counts.problems} problems; the slowest took ${slowest.toFixed(1)} s of processor time`,
  );
});

interface Found {
  readonly code: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** Builds `data` into `dist` and returns the problems. `check` must report the same ones. */
async function buildIn(cwd: string): Promise<readonly Found[]> {
  const [found, expected] = [await problemsOf('build', cwd), await problemsOf('check', cwd)];
  expect(found).toEqual(expected);
  return found;
}

async function problemsOf(command: string, cwd: string): Promise<readonly Found[]> {
  const args = [command, '--now', now, '--base-url', 'https://example.org', '--json', '--quiet'];
  const { code, stdout, stderr } = await runAlmanac(args, { cwd });
  const { ok, problems = [] } = JSON.parse(stdout) as {
    readonly ok: boolean;
    readonly problems?: readonly Found[];
  };
  expect([code, stderr, ok]).toEqual([ok ? 0 : 1, '', problems.length === 0]);
  return problems;
}

function expectPrintable({ code, line, column, message }: Found): void {
  expect(code).not.toBe('unexpected');
  expect(message).not.toMatch(unprintable);
  expect((line ?? 1) * (column ?? 1)).toBeGreaterThan(0);
}

function expectValid(site: string): void {
  const files = readTree(site);
  checkManifest(files);
  for (const [path, content] of files) schemaOf(path)?.parse(JSON.parse(String(content)));
}
