import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { groupBy } from '../../src/catalogue/group.ts';
import type { Finding } from './runner.ts';
import { type Mutant, sampleMutants } from './mutants.ts';

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

mkdirSync(folder, { recursive: true });
writeFileSync(log, '');
// What quick tests let pass is tried with slow ones, and what these let pass in a process of its own, because caches may
// hide a fault that comes after the first answer.
runTests(alive(), 300, positionals);
runTests(alive(), 5000, filesThatReach(alive()));
for (const mutant of alive()) {
  const files = filesThatReach([mutant]);
  if (files.length > 0) runTests([mutant], 5000, files, ['--bail=1']);
}
report();

function findings(): Finding[] {
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Finding);
}

function alive(): Mutant[] {
  const killed = new Set(findings().flatMap(({ id, killed: isKilled }) => (isKilled ? [id] : [])));
  return mutants.filter(({ id }) => !killed.has(id));
}

function filesThatReach(some: readonly Mutant[]): string[] {
  const ids = new Set(some.map(({ id }) => id));
  return [...new Set(findings().flatMap(({ id, file }) => (ids.has(id) ? [file] : [])))];
}

/** Runs tests with each of these mutants. Tests that take longer than the limit in milliseconds only note what they reach. */
function runTests(some: readonly Mutant[], limit: number, files: readonly string[], options: string[] = []): void {
  if (some.length === 0) return;
  process.stderr.write(`${String(some.length)} mutants\n`);
  const env = {
    ...process.env,
    ALMANAC_ENGINES: 'no',
    MUTATION_SEED: values.seed,
    MUTATION_COUNT: values.count,
    MUTATION_ROOMS: values.rooms,
    MUTATION_LOG: log,
    MUTATION_ALIVE: some.map(({ id }) => id).join(','),
    MUTATION_LIMIT: String(limit),
    MUTATION_TRIES: limit < 1000 ? '5' : '40',
  };
  const config = 'test/mutation/vitest.config.ts';
  const workers = `--maxWorkers=${String(availableParallelism())}`;
  spawnSync('npx', ['vitest', 'run', '--config', config, workers, ...options, ...files], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function report(): void {
  const left = alive();
  const reached = new Set(findings().map(({ id }) => id));
  const rooms = [...groupBy(mutants, ({ file }) => file.split('/')[0] ?? '')];
  for (const [room, all] of [...rooms, ['all', mutants] as const]) {
    const survived = left.filter((mutant) => all.includes(mutant));
    const unreached = survived.filter(({ id }) => !reached.has(id)).length;
    const score = ((100 * (all.length - survived.length)) / all.length).toFixed(0);
    print(
      `${room.padEnd(10)} ${score.padStart(4)} %  ${String(all.length)} faults, ${String(survived.length)} survived, of these ${String(unreached)} not reached`,
    );
  }
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
