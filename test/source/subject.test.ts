import { expect, test } from 'vitest';
import { isId } from '../../src/source/rules.ts';
import { readSubject } from '../../src/source/subject.ts';

test('proposes a valid id for one that is already used, even if the start is invalid', () => {
  const genre = { id: 'g-c', name: 'G', category: 'c' };
  for (const starts of [undefined, '', '?', '2027-01-02T20:00Z']) {
    const events = [
      { title: 'Own', starts: '2027-01-01' },
      { title: 'Own', starts },
    ];
    const { findings } = readSubject({ name: 'S', events }, 's', genre, { now: 0 });
    const proposals = findings.flatMap(({ problem }) => (problem.code === 'duplicate-id' ? problem.proposal : []));
    expect(proposals.filter((id) => id !== null && isId(id))).toHaveLength(1);
  }
});

test('never proposes the id of an earlier event', () => {
  const genre = { id: 'g-c', name: 'G', category: 'c' };
  const title = 'A title that is very much longer than an id of sixty-four characters may be';
  const [starts, id] = ['2027-01-02', 'own-2027-01-02'];
  for (const events of [
    [{ title: 'Later', starts, id }, ...Array.from({ length: 3 }, () => ({ title: 'Own', starts }))],
    [{ title: 'Own 2', starts }, ...Array.from({ length: 3 }, () => ({ title: 'Own', starts: '?' }))],
    Array.from({ length: 3 }, () => ({ title, starts, id })),
  ]) {
    const { findings } = readSubject({ name: 'S', events }, 's', genre, { now: 0 });
    const proposals = findings.flatMap(({ problem }) => (problem.code === 'duplicate-id' ? [problem.proposal] : []));
    expect(proposals).toHaveLength(2);
    expect(proposals.every((one) => one !== null && isId(one) && ![id, 'own', 'own-2'].includes(one))).toBe(true);
  }
});
