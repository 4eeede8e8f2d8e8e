import { setMaxListeners } from 'node:events';
import { appendFileSync } from 'node:fs';
import { type RunnerTestCase, TestRunner } from 'vitest';
import { type Finding, readFindings } from './findings.ts';

declare global {
  /** Whether the mutant is the one that runs now. It also notes that the mutant was reached. */
  var isMutant: (id: number) => boolean;
  /** Whether a mutant runs now, or a test that is measured for one. */
  var isMutating: () => boolean;
}

const { MUTATION_LOG: log = '', MUTATION_ALIVE: alive = '' } = process.env;
const candidates = new Set(alive.split(',').map(Number));

/** The mutant of this process; 0 if every test is repeated with each mutant that it reaches. */
const mutantOfProcess = Number(process.env['MUTATION_ACTIVE'] ?? 0);

/** The files that have failed without a mutant before this process. */
const failing = new Set(readFindings(log, 'failed').map(({ file }) => file));

/** Tests that take more, in milliseconds, are not repeated. They only note what they reach. */
const [maxTime, maxProcessorTime] = [10_000, 1000];

/**
 * How often each file tries a mutant. Its further tests seldom notice what the first ones did not.
 */
const maxTries = 5;
const tries = new Map<string, number>();

/** The lines of the log that this process has written. */
const noted = new Set<string>();

let reached = new Set<number>();
let [active, calls, allowedCalls] = [mutantOfProcess, 0, 1e8];

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
export default class MutationRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    const file = test.file.filepath;
    if (mutantOfProcess !== 0) {
      // A file that fails without a mutant says nothing either.
      if (!failing.has(file)) await run();
      return;
    }
    [reached, calls] = [new Set(), 0];
    // Every repetition listens to it.
    setMaxListeners(0, test.context.signal);
    const [start, startOfProcessor] = [performance.now(), process.cpuUsage()];
    try {
      await run();
    } catch (error) {
      note('failed', file, [0]);
      throw error;
    }
    const took = performance.now() - start;
    note('reached', file, reached);
    const { user, system } = process.cpuUsage(startOfProcessor);
    if (took > maxTime || (user + system) / 1000 > maxProcessorTime) return;
    const killed = new Set(readFindings(log, 'killed').map(({ id }) => id));
    const left = [...reached].filter(
      (id) => candidates.has(id) && !killed.has(id) && triesOf(file, id) < maxTries,
    );
    if (left.length === 0) return;
    [calls, isMeasured] = [0, true];
    const isRepeatable = await passes(run, Infinity);
    isMeasured = false;
    // A test that cannot be repeated says nothing.
    if (!isRepeatable) return;
    const result = { ...test.result };
    for (const id of left) {
      [active, allowedCalls] = [id, calls * 20 + 100_000];
      tries.set(`${file} ${String(id)}`, triesOf(file, id) + 1);
      const hasPassed = await passes(run, took * 20 + 5000);
      active = 0;
      if (!hasPassed) note('killed', file, [id]);
    }
    Object.assign(test, { result });
  }
}

function triesOf(file: string, id: number): number {
  return tries.get(`${file} ${String(id)}`) ?? 0;
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

function note(kind: Finding['kind'], file: string, ids: Iterable<number>): void {
  for (const id of ids) {
    const line = `${JSON.stringify({ kind, id, file } satisfies Finding)}\n`;
    if (noted.has(line) || (id !== 0 && !candidates.has(id))) continue;
    noted.add(line);
    appendFileSync(log, line);
  }
}
