import fc from 'fast-check';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { build, check } from '../../src/build.ts';
import { problemLine, ProblemError, type Problem } from '../../src/problem/problem.ts';
import { checkManifest } from '../setup/check-manifest.ts';
import { schemaOf } from '../setup/documents.ts';
import { readTree, tempFolder } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { countOf, tell } from './counts.ts';
import { sourceTree, writeSources, type SourceTree } from './source-trees.ts';

const now = '2026-11-20T12:17:00Z';
const seed = countOf('seed');
/** What a terminal obeys or hides behind: control characters, half characters, overrides of direction. */
const unprintable = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const trees = readdirSync(join(import.meta.dirname, 'trees')).filter((name) => name.endsWith('.json'));
const examples = trees.map((name): [SourceTree] => [
  JSON.parse(readFileSync(join(import.meta.dirname, 'trees', name), 'utf8')),
]);

test('any tree of source files is built, or refused with problems; what is built fits its schemas', async () => {
  const folder = tempFolder();
  const tally = { built: 0, refused: 0, problems: 0, slowest: 0 };
  const property = fc.asyncProperty(sourceTree, async (tree) => {
    rmSync(folder, { recursive: true, force: true });
    writeSources(join(folder, 'data'), tree);
    const began = process.cpuUsage();
    const problems = await buildIn(folder);
    const { user, system } = process.cpuUsage(began);
    tally.slowest = Math.max(tally.slowest, (user + system) / 1e6);
    tally[problems.length === 0 ? 'built' : 'refused']++;
    tally.problems += problems.length;
    for (const problem of problems) expectPlain(problem);
    if (problems.length === 0) expectValid(join(folder, 'dist'));
    expect(readdirSync(folder).sort()).toEqual(problems.length === 0 ? ['data', 'dist'] : ['data']);
  });
  await fc.assert(property, { numRuns: countOf('trees'), seed, examples });
  const { built, refused, slowest } = tally;
  expect(slowest).toBeLessThan(30);
  const trees = `${built + refused} source trees: ${built} built and valid, ${refused} refused`;
  tell(`${trees} with ${tally.problems} problems; the slowest took ${slowest.toFixed(1)} s of processor`);
});

test('the command ends with 0 or 1 on any tree, in plain lines or one document', async () => {
  const cwd = tempFolder();
  const tally = { built: 0, refused: 0, most: 0 };
  for (const tree of fc.sample(sourceTree, { numRuns: countOf('commands'), seed: seed + 1 })) {
    rmSync(join(cwd, 'data'), { recursive: true, force: true });
    rmSync(join(cwd, 'dist'), { recursive: true, force: true });
    writeSources(join(cwd, 'data'), tree);
    const { code, stdout, stderr, peak } = await runMeasured(cwd, ['build', '--now', now, '--json']);
    expect([code, stderr]).toEqual([code === 0 ? 0 : 1, '']);
    expect(JSON.parse(stdout)).toMatchObject({ ok: code === 0 });
    expect(stdout.trimEnd()).not.toMatch(unprintable);
    expect(existsSync(join(cwd, 'dist'))).toBe(code === 0);
    tally[code === 0 ? 'built' : 'refused']++;
    tally.most = Math.max(tally.most, peak);
  }
  expect(tally.most).toBeLessThan(512);
  tell(
    `${tally.built + tally.refused} runs of the command: ${tally.built} built, ${tally.refused} refused, ${tally.most} MB at most`,
  );
});

/** Builds `data` into `dist`. Returns the problems that stood against it; `check` must have found the same. */
async function buildIn(folder: string): Promise<readonly Problem[]> {
  const options = { data: join(folder, 'data'), displayPath: (path: string) => path, now: Date.parse(now) };
  const found = await check(options);
  const rest = { out: join(folder, 'dist'), baseUrl: null, generator: 'almanac/0.0.0', dryRun: false, assets: [] };
  try {
    await build({ ...options, ...rest });
    expect(found).toEqual([]);
    return [];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    expect(error.problems.filter(({ code }) => code !== 'base-url-missing')).toEqual(found);
    return error.problems;
  }
}

function expectPlain(problem: Problem): void {
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

const peakFile = 'almanac-peak';
const measuring = `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync('${peakFile}', String(process.resourceUsage().maxRSS)));`;

/** Runs the command and learns the most memory it held, in megabytes. */
async function runMeasured(cwd: string, args: readonly string[]) {
  const node = ['--import', `data:text/javascript,${encodeURIComponent(measuring)}`];
  const run = await runAlmanac(args, { cwd, node, killAfter: 30_000 });
  return { ...run, peak: Math.round(Number(readFileSync(join(cwd, peakFile), 'utf8')) / 1000) };
}
