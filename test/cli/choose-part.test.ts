import { describe, expect, test } from 'vitest';
import { choosePart } from '../../src/cli/choose-part.ts';
import { ProblemError, type Problem } from '../../src/problem/problem.ts';

test.each([
  ['3/16', {}, [3, 16]],
  ['1/1', { SLURM_ARRAY_TASK_ID: '4', SLURM_ARRAY_TASK_COUNT: '8' }, [1, 1]],
  [undefined, { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '16' }, [3, 16]],
  [undefined, { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '16', SLURM_ARRAY_TASK_MIN: '1' }, [3, 16]],
  [undefined, { SLURM_ARRAY_TASK_ID: '0', SLURM_ARRAY_TASK_COUNT: '16', SLURM_ARRAY_TASK_MIN: '0' }, [1, 16]],
  ['/16', { SLURM_ARRAY_TASK_ID: '7', SLURM_ARRAY_TASK_COUNT: '1', SLURM_ARRAY_TASK_MIN: '1' }, [7, 16]],
  ['/16', { SLURM_ARRAY_TASK_ID: '7', SLURM_ARRAY_TASK_COUNT: '2', SLURM_ARRAY_TASK_MIN: '3' }, [7, 16]],
  [undefined, slurm('28', '16', '0', '2'), [15, 16]],
  [undefined, slurm('30', '16', '0', '2'), [16, 16]],
  [undefined, slurm('5', '4', '5', '1'), [1, 4]],
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
  ['/', {}],
  ['-1/3', {}],
  ['1/0', {}],
  ['1.5/3', {}],
  ['1/10001', {}],
  ['', {}],
])('--part %j with %j is refused as wrong usage', (written, env) => {
  expect(problemsOf(() => choosePart(written, env)).map(({ code }) => code)).toEqual(['usage']);
});

const variables = [
  ['SLURM_ARRAY_TASK_ID', 'SLURM_ARRAY_TASK_COUNT', 1],
  ['JOB_COMPLETION_INDEX', 'JOB_COMPLETIONS', 0],
  ['AWS_BATCH_JOB_ARRAY_INDEX', 'AWS_BATCH_JOB_ARRAY_SIZE', 0],
  ['CI_NODE_INDEX', 'CI_NODE_TOTAL', 1],
] as const;

describe.each(variables)('%s', (index, count, first) => {
  test.each(['x', '-1', '1.5', ' 2', '0x1', `${first + 5}`, `${first - 1}`, '1e3'])('%j of 5 is refused', (found) => {
    expect(problemsOf(() => choosePart(undefined, { [index]: found, [count]: '5' }))).toEqual([
      {
        code: 'usage',
        place: null,
        reason: `found ${index}="${found}"; expected a whole number from ${first} to ${first + 4}`,
      },
    ]);
  });

  test.each(['x', '-1', '0', '1.5', '10001'])('1 of %j is refused', (found) => {
    const reason = `found ${count}="${found}"; expected a whole number from 1 to 10000`;
    expect(problemsOf(() => choosePart(undefined, { [index]: '1', [count]: found }))).toMatchObject([{ reason }]);
  });

  test.each([{}, { [count]: '' }])('without the number of jobs is refused', (env) => {
    const [problem] = problemsOf(() => choosePart(undefined, { [index]: '1', ...env }));
    expect(problem).toMatchObject({
      reason: expect.stringContaining(`expected it in --part, such as /16, or in ${count}`),
    });
  });

  test('that is empty is not set', () => {
    const [problem] = problemsOf(() => choosePart(undefined, { [index]: '', [count]: '5' }));
    expect(problem).toMatchObject({ reason: expect.stringContaining('found no number of a part') });
  });
});

test.each([
  [slurm('3', '16', '0', '2'), 'found SLURM_ARRAY_TASK_ID=3; expected 0 or a number that follows in steps of 2'],
  [slurm('32', '16', '0', '2'), 'found SLURM_ARRAY_TASK_ID="32"; expected a whole number from 0 to 30'],
  [slurm('7', '3', '1', '1'), 'found SLURM_ARRAY_TASK_ID="7"; expected a whole number from 1 to 3'],
  [slurm('1', '3', 'x', '1'), 'found SLURM_ARRAY_TASK_MIN="x"; expected a whole number from 0 to 999999'],
  [slurm('1', '3', '1', '0'), 'found SLURM_ARRAY_TASK_STEP="0"; expected a whole number from 1 to 999999'],
])('a Slurm array %j is refused', (env, reason) => {
  expect(problemsOf(() => choosePart(undefined, env))).toMatchObject([{ reason }]);
});

function slurm(id: string, count: string, first: string, step: string): Record<string, string> {
  return {
    SLURM_ARRAY_TASK_ID: id,
    SLURM_ARRAY_TASK_COUNT: count,
    SLURM_ARRAY_TASK_MIN: first,
    SLURM_ARRAY_TASK_STEP: step,
  };
}

function problemsOf(work: () => unknown): readonly Problem[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
  }
  throw new Error('there was no problem');
}
