import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { groupBy } from '../../src/catalogue/group.ts';
import { readFindings } from './findings.ts';
import { type Mutant, roomOf, sampleMutants } from './mutants.ts';

const usage = `Measures whether the tests notice faults: changes single places of the source, runs the tests that reach
them, and prints for each room how many were noticed, and the faults that were not.

  npm run mutation                      300 faults, as many in each room
  npm run mutation -- --count 40        fewer
  npm run mutation -- --seed 2          others
  npm run mutation -- --rooms site,api  only faults of these folders of src/
  npm run mutation -- test/site         only these tests
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    rooms: { type: 'string', default: '' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}

const folder = '.bench/mutation';
const log = resolve(folder, 'findings.ndjson');
const mutants = sampleMutants(Number(values.seed), Number(values.count), values.rooms);
const killed = new Set<number>();
const start = performance.now();
let vitest: ChildProcess | undefined;

mkdirSync(folder, { recursive: true });
writeFileSync(log, '');
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    if (vitest?.pid !== undefined) process.kill(-vitest.pid, 'SIGKILL');
    report();
    process.exit(1);
  });
}
await runTests('quick tests', alive(), positionals);
// What these let pass is tried in a process of its own, which has the fault from its first module
// on: constants are computed with it, no cache has an earlier answer, and all tests that reach it
// run.
for (const mutant of alive()) {
  const { id, file, line } = mutant;
  // What runs only when a module is loaded is the business of the tests of its room, and of the
  // golden sites.
  const others =
    positionals.length > 0 ? positionals : [`test/${roomOf(mutant)}/`, 'test/build/golden'];
  const args = ['--bail=1', '--passWithNoTests', ...filesThatReach(mutant), ...others];
  const hasPassed = await runTests(`alone: src/${file}:${String(line)}`, [mutant], args, {
    MUTATION_ACTIVE: String(id),
  });
  if (!hasPassed) killed.add(id);
}
report();

function alive(): Mutant[] {
  for (const { id } of readFindings(log, 'killed')) killed.add(id);
  return mutants.filter(({ id }) => !killed.has(id));
}

/** Returns the test files that reach a mutant. */
function filesThatReach(mutant: Mutant): string[] {
  return readFindings(log, 'reached').flatMap(({ id, file }) => (id === mutant.id ? [file] : []));
}

/** Runs tests with these mutants. Returns whether they passed. */
async function runTests(
  stage: string,
  some: readonly Mutant[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const progress = (): void => {
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    process.stderr.write(`${stage}, ${String(alive().length)} mutants left, ${seconds} s\n`);
  };
  progress();
  const timer = setInterval(progress, 30_000);
  const config = 'test/mutation/vitest.config.ts';
  const workers = `--maxWorkers=${String(availableParallelism())}`;
  vitest = spawn('npx', ['vitest', 'run', '--config', config, workers, ...args], {
    env: {
      ...process.env,
      ALMANAC_ENGINES: 'no',
      MUTATION_SEED: values.seed,
      MUTATION_COUNT: values.count,
      MUTATION_ROOMS: values.rooms,
      MUTATION_LOG: log,
      MUTATION_ALIVE: some.map(({ id }) => id).join(','),
      ...env,
    },
    stdio: 'ignore',
    // In a group of processes, so that its workers end with it.
    detached: true,
  });
  const { pid = 0 } = vitest;
  // A fault may make a loop endless.
  const limit =
    'MUTATION_ACTIVE' in env ? setTimeout(() => process.kill(-pid, 'SIGKILL'), 240_000) : undefined;
  const [code] = (await once(vitest, 'exit')) as [number | null];
  clearInterval(timer);
  clearTimeout(limit);
  return code === 0;
}

function report(): void {
  const left = alive();
  const reached = new Set(readFindings(log, 'reached').map(({ id }) => id));
  const rooms = [...groupBy(mutants, roomOf)];
  for (const [room, all] of [...rooms, ['all', mutants] as const]) {
    const survived = left.filter((mutant) => all.includes(mutant));
    const unreached = survived.filter(({ id }) => !reached.has(id)).length;
    const score = ((100 * (all.length - survived.length)) / all.length).toFixed(0);
    print(
      `${room.padEnd(10)} ${score.padStart(4)} %  ${String(all.length)} faults, ${String(survived.length)} survived, of these ${String(unreached)} not reached`,
    );
  }
  const failed = readFindings(log, 'failed').map(({ file }) => file);
  for (const file of new Set(failed)) print(`${file} fails without a mutant`);
  for (const { id, file, line, before, after } of left) {
    const note = reached.has(id) ? '' : ' (not reached)';
    print(
      `src/${file}:${String(line)}${note}\n  - ${before.replaceAll(/\s+/g, ' ')}\n  + ${after.replaceAll(/\s+/g, ' ')}`,
    );
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
