import fc from 'fast-check';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { build } from '../../src/builder/build.ts';
import { check } from '../../src/builder/check.ts';
import { problemLine, ProblemError, type Problem } from '../../src/problem/problem.ts';
import { checkManifest } from '../setup/check-manifest.ts';
import { schemaOf } from '../setup/documents.ts';
import { readTree, tempFolder } from '../setup/folders.ts';
import { countOf, report } from './counts.ts';
import { runMeasured } from './run-measured.ts';
import { sourceTree, writeSources, type SourceTree } from './source-trees.ts';

const now = '2026-11-20T12:17:00Z';
const baseUrl = 'https://example.org';
const seed = countOf('seed');
/** Control characters, lone surrogates and direction marks, which a terminal interprets or hides. */
const unprintable = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const trees = readdirSync(join(import.meta.dirname, 'trees')).filter((name) => name.endsWith('.json'));
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
  await fc.assert(property, { numRuns: countOf('trees'), seed, examples });
  const { built, refused, slowest } = counts;
  expect(slowest).toBeLessThan(30);
  const folders = `${built + refused} data folders: ${built} built and valid, ${refused} refused`;
  report(`${folders} with ${counts.problems} problems; the slowest took ${slowest.toFixed(1)} s of processor time`);
});

test('the command exits 0 or 1 for any data folder and prints one printable document', async () => {
  const cwd = tempFolder();
  const counts = { built: 0, refused: 0, megabytes: 0 };
  for (const tree of fc.sample(sourceTree, { numRuns: countOf('commands'), seed: seed + 1 })) {
    rmSync(join(cwd, 'data'), { recursive: true, force: true });
    rmSync(join(cwd, 'dist'), { recursive: true, force: true });
    writeSources(join(cwd, 'data'), tree);
    const { code, stdout, stderr, megabytes, cpu } = await runMeasured(cwd, [
      'build',
      '--now',
      now,
      '--base-url',
      baseUrl,
      '--json',
      '--quiet',
    ]);
    expect([code, stderr]).toEqual([code === 0 ? 0 : 1, '']);
    expect(cpu).toBeLessThan(30);
    expect(JSON.parse(stdout)).toMatchObject({ ok: code === 0 });
    expect(stdout.trimEnd()).not.toMatch(unprintable);
    expect(existsSync(join(cwd, 'dist'))).toBe(code === 0);
    counts[code === 0 ? 'built' : 'refused']++;
    counts.megabytes = Math.max(counts.megabytes, megabytes);
  }
  expect(counts.megabytes).toBeLessThan(512);
  report(
    `${counts.built + counts.refused} runs of the command: ${counts.built} built, ${counts.refused} refused, ${counts.megabytes} MB at most`,
  );
});

/** Builds `data` into `dist` and returns the problems. `check` must report the same ones. */
async function buildIn(folder: string): Promise<readonly Problem[]> {
  const common = { data: join(folder, 'data'), displayPath: (path: string) => path, now: Date.parse(now) };
  const options = { ...common, baseUrl: { found: baseUrl, from: 'test' } };
  const { problems: found } = await check(options);
  const rest = { out: join(folder, 'dist'), generator: 'almanac/0.0.0', dryRun: false, assets: [] };
  try {
    await build({ ...options, ...rest });
    expect(found).toEqual([]);
    return [];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    expect(error.problems).toEqual(found);
    return error.problems;
  }
}

function expectPrintable(problem: Problem): void {
  expect(problem.code).not.toBe('unexpected');
  expect(problemLine(problem)).not.toMatch(unprintable);
  if (problem.place === null) return;
  const { line, column } = problem.place;
  expect(line * column).toBeGreaterThan(0);
}

function expectValid(site: string): void {
  const files = readTree(site);
  checkManifest(files);
  for (const [path, content] of files) schemaOf(path)?.parse(JSON.parse(String(content)));
}
