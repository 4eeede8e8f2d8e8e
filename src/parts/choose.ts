import { ProblemError } from '../problem/problem.ts';

/** One part of a build. It counts from 1. */
export interface PartNumber {
  readonly number: number;
  readonly of: number;
}

/** The variables by which a scheduler tells a job of an array which one it is. */
interface Scheduler {
  readonly index: string;
  /** The number of its first job, or the variable that has it and the number if it is not set. */
  readonly first: number | { readonly variable: string; readonly otherwise: number };
  /** The variable with the number of jobs. */
  readonly count: string;
}

const schedulers: readonly Scheduler[] = [
  {
    index: 'SLURM_ARRAY_TASK_ID',
    first: { variable: 'SLURM_ARRAY_TASK_MIN', otherwise: 1 },
    count: 'SLURM_ARRAY_TASK_COUNT',
  },
  // Kubernetes sets no variable with the number of jobs, so the template of the job does.
  { index: 'JOB_COMPLETION_INDEX', first: 0, count: 'JOB_COMPLETIONS' },
  { index: 'AWS_BATCH_JOB_ARRAY_INDEX', first: 0, count: 'AWS_BATCH_JOB_ARRAY_SIZE' },
  { index: 'CI_NODE_INDEX', first: 1, count: 'CI_NODE_TOTAL' },
];

/** A shared store has a document for each part, and every part is listed in a problem about missing ones. */
const maxParts = 10_000;

/**
 * Returns the part that `--part` names: `3/16`, or `/16` for the number from the scheduler. Without it, both come from
 * the scheduler. Throws the problem `usage` if the part is unknown.
 */
export function choosePart(written: string | undefined, env: Readonly<Record<string, string | undefined>>): PartNumber {
  const match = /^(\d{1,6})?\/(\d{1,6})$/.exec(written ?? '/0');
  if (match === null)
    throw usage(`found --part ${JSON.stringify(written)}; expected the part and their number, such as 3/16`);
  const [, own, given] = match;
  const scheduler = schedulers.find(({ index }) => isSet(env[index]));
  const number = own === undefined ? numberIn(scheduler, env) : Number(own);
  const of = written === undefined ? Number(scheduler === undefined ? NaN : env[scheduler.count]) : Number(given);
  if (number === null) {
    throw usage(
      'found --parts without a part; give it with --part, such as 3/16, or run in a job array of a scheduler',
    );
  }
  if (Number.isInteger(of) && of >= 1 && of <= maxParts && number >= 1 && number <= of) return { number, of };
  if (written === undefined && !Number.isInteger(of)) {
    throw usage(`found part ${number}, but not of how many; give their number with --part, such as /16`);
  }
  throw usage(`found part ${number} of ${of}; parts count from 1, and there are at most ${maxParts}`);
}

function numberIn(scheduler: Scheduler | undefined, env: Readonly<Record<string, string | undefined>>): number | null {
  if (scheduler === undefined) return null;
  const { index, first } = scheduler;
  const start = typeof first === 'number' ? first : Number(env[first.variable] ?? first.otherwise);
  return Number(env[index]) - start + 1;
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== '';
}

function usage(reason: string): ProblemError {
  return new ProblemError([{ code: 'usage', place: null, reason }]);
}
