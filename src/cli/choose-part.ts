import { maxParts, type PartNumber } from '../builder/part-store.ts';
import { usage } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables in which a scheduler gives a job of an array its index. */
interface Scheduler {
  readonly index: string;
  readonly count: string;
  /** The index of the first job. */
  readonly first: 0 | 1;
  /** The variables with the index of the first job and the step to the next one, if the user chooses them. */
  readonly range?: { readonly first: string; readonly step: string };
}

const schedulers: readonly Scheduler[] = [
  {
    index: 'SLURM_ARRAY_TASK_ID',
    count: 'SLURM_ARRAY_TASK_COUNT',
    first: 1,
    range: { first: 'SLURM_ARRAY_TASK_MIN', step: 'SLURM_ARRAY_TASK_STEP' },
  },
  // Kubernetes sets no variable with the number of jobs, so the template of the job does.
  { index: 'JOB_COMPLETION_INDEX', count: 'JOB_COMPLETIONS', first: 0 },
  { index: 'AWS_BATCH_JOB_ARRAY_INDEX', count: 'AWS_BATCH_JOB_ARRAY_SIZE', first: 0 },
  { index: 'CI_NODE_INDEX', count: 'CI_NODE_TOTAL', first: 1 },
];

/** Returns the part that `--part` names: `3/16`, `/16` for the number from the scheduler, or none for both. */
export function choosePart(written: string | undefined, env: Environment): PartNumber {
  const [isPart, own, count] = /^(\d{1,6})?\/(\d{1,6})$/.exec(written ?? '/') ?? [written === undefined];
  if (!isPart)
    throw usage(`found --part ${JSON.stringify(written)}; expected a part and the number of parts, such as 3/16`);
  const of = count === undefined ? null : Number(count);
  const part = own === undefined || of === null ? partOfJob(env, of) : { number: Number(own), of };
  if (part.of >= 1 && part.of <= maxParts && part.number >= 1 && part.number <= part.of) return part;
  throw usage(
    `found part ${part.number} of ${part.of}; expected a part from 1 to the number of parts, at most ${maxParts}`,
  );
}

/** Returns the part that a job of an array builds. If the number of parts is given, some of the jobs may run again. */
function partOfJob(env: Environment, given: number | null): PartNumber {
  const scheduler = schedulers.find(({ index }) => isSet(env[index]));
  if (scheduler === undefined) {
    throw usage('found no number of a part; expected --part, such as 3/16, or a job array of a scheduler');
  }
  const { index, count, range } = scheduler;
  if (given === null && !isSet(env[count]))
    throw usage(`found ${index} without the number of parts; expected it in --part, such as /16, or in ${count}`);
  const of = given ?? readWhole(env, count, 1, maxParts);
  const chosen = range !== undefined && isSet(env[range.first]) ? readWhole(env, range.first, 0) : scheduler.first;
  // Jobs that run again keep the indices that they had in the whole array.
  const first = given === null ? chosen : Math.min(chosen, 1);
  const step = given === null && range !== undefined && isSet(env[range.step]) ? readWhole(env, range.step, 1) : 1;
  const at = readWhole(env, index, first, first + (of - 1) * step) - first;
  if (at % step === 0) return { number: at / step + 1, of };
  throw usage(`found ${index}=${env[index]}; expected ${first} or a number that follows in steps of ${step}`);
}

function readWhole(env: Environment, variable: string, least: number, most = 999_999): number {
  const found = env[variable] ?? '';
  if (/^\d{1,6}$/.test(found) && Number(found) >= least && Number(found) <= most) return Number(found);
  throw usage(`found ${variable}=${JSON.stringify(found)}; expected a whole number from ${least} to ${most}`);
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== '';
}
