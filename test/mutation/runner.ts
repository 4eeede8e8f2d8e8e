import { appendFileSync, readFileSync } from 'node:fs';
import type { RunnerTestCase } from 'vitest';
import { VitestTestRunner } from 'vitest/runners';

declare global {
  /** Whether the mutant is the one that runs now. It also notes that the mutant was reached. */
  var isMutant: (id: number) => boolean;
  /** Whether a mutant runs now, or a test that is measured for one. */
  var isMutating: () => boolean;
}

/** A line of the log: a mutant that a test reached or killed. */
export interface Finding {
  readonly id: number;
  readonly file: string;
  readonly killed: boolean;
}

const { MUTATION_LOG: log = '', MUTATION_ALIVE: alive = '' } = process.env;
const [limit, maxTries] = [Number(process.env['MUTATION_LIMIT']), Number(process.env['MUTATION_TRIES'])];
const candidates = new Set(alive.split(',').map(Number));

/** How often each file has tried each mutant. Its further tests seldom notice what the first ones did not. */
const tries = new Map<string, number>();

let reached = new Set<number>();
let [active, calls, allowedCalls] = [0, 0, Infinity];

globalThis.isMutant = (id) => {
  reached.add(id);
  if (active === 0) calls += 1;
  // A mutant may make a loop endless.
  else if ((allowedCalls -= 1) < 0) throw new Error('The mutant does not end.');
  return id === active;
};

let isMeasured = false;
globalThis.isMutating = () => active !== 0 || isMeasured;

/** Runs each test as it is, and then again with each mutant that it reaches. */
export default class MutationRunner extends VitestTestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = VitestTestRunner.getTestFn(test);
    [reached, calls] = [new Set(), 0];
    const start = performance.now();
    await run();
    const took = performance.now() - start;
    const mutants = [...reached].filter((id) => candidates.has(id));
    const file = test.file.filepath;
    note(mutants.map((id) => ({ id, file, killed: false })));
    if (took > limit) return;
    const killed = killedMutants();
    const left = mutants.filter((id) => !killed.has(id) && (tries.get(`${file} ${String(id)}`) ?? 0) < maxTries);
    if (left.length === 0) return;
    [calls, isMeasured] = [0, true];
    const isRepeatable = await passes(run, Infinity);
    isMeasured = false;
    // A test that cannot be repeated says nothing.
    if (!isRepeatable) return;
    const result = { ...test.result };
    for (const id of left) {
      [active, allowedCalls] = [id, calls * 20 + 100_000];
      tries.set(`${file} ${String(id)}`, (tries.get(`${file} ${String(id)}`) ?? 0) + 1);
      const hasPassed = await passes(run, took * 20 + 5000);
      active = 0;
      if (!hasPassed) note([{ id, file, killed: true }]);
    }
    Object.assign(test, { result });
  }
}

async function passes(run: () => unknown, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    if (milliseconds < Infinity) timer = setTimeout(reject, milliseconds);
  });
  try {
    await Promise.race([run(), timeout]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function note(findings: readonly Finding[]): void {
  appendFileSync(log, findings.map((finding) => `${JSON.stringify(finding)}\n`).join(''));
}

function killedMutants(): Set<number> {
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  const findings = lines.map((line) => JSON.parse(line) as Finding);
  return new Set(findings.filter(({ killed }) => killed).map(({ id }) => id));
}
