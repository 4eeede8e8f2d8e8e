import { expect, test } from 'vitest';
import { choosePart } from '../../src/parts/choose.ts';
import { ProblemError } from '../../src/problem/problem.ts';

test.each([
  ['3/16', {}, [3, 16]],
  ['1/1', { SLURM_ARRAY_TASK_ID: '4', SLURM_ARRAY_TASK_COUNT: '8' }, [1, 1]],
  [undefined, { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '16' }, [3, 16]],
  [undefined, { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '16', SLURM_ARRAY_TASK_MIN: '1' }, [3, 16]],
  [undefined, { SLURM_ARRAY_TASK_ID: '0', SLURM_ARRAY_TASK_COUNT: '16', SLURM_ARRAY_TASK_MIN: '0' }, [1, 16]],
  ['/16', { SLURM_ARRAY_TASK_ID: '7', SLURM_ARRAY_TASK_COUNT: '1', SLURM_ARRAY_TASK_MIN: '1' }, [7, 16]],
  [undefined, { JOB_COMPLETION_INDEX: '0', JOB_COMPLETIONS: '4' }, [1, 4]],
  ['/4', { JOB_COMPLETION_INDEX: '3' }, [4, 4]],
  [undefined, { AWS_BATCH_JOB_ARRAY_INDEX: '9', AWS_BATCH_JOB_ARRAY_SIZE: '10' }, [10, 10]],
  ['/10', { AWS_BATCH_JOB_ARRAY_INDEX: '0' }, [1, 10]],
  [undefined, { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '5' }, [2, 5]],
  [undefined, { SLURM_ARRAY_TASK_ID: '', CI_NODE_INDEX: '5', CI_NODE_TOTAL: '5' }, [5, 5]],
])('--part %s with %j is part %j', (written, env, [number, of]) => {
  expect(choosePart(written, env)).toEqual({ number, of });
});

test.each([
  [undefined, {}],
  ['/16', {}],
  ['0/16', {}],
  ['17/16', {}],
  ['3', {}],
  ['3/', {}],
  ['-1/3', {}],
  ['1/0', {}],
  ['1.5/3', {}],
  ['', {}],
  [undefined, { JOB_COMPLETION_INDEX: '3' }],
  [undefined, { CI_NODE_INDEX: '6', CI_NODE_TOTAL: '5' }],
  [undefined, { CI_NODE_INDEX: 'x', CI_NODE_TOTAL: '5' }],
  [undefined, { SLURM_ARRAY_TASK_ID: '0', SLURM_ARRAY_TASK_COUNT: '5' }],
])('--part %j with %j is refused as wrong usage', (written, env) => {
  const error = catchError(() => choosePart(written, env));
  expect(error.problems.map(({ code }) => code)).toEqual(['usage']);
});

function catchError(work: () => unknown): ProblemError {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error;
  }
  throw new Error('there was no problem');
}
