import { expect, test } from 'vitest';
import { isId } from '../../src/source/rules.ts';
import { readSubject } from '../../src/source/subject.ts';

test('the id proposed for one that is taken may be used, whatever is wrong with the start', () => {
  const genre = { id: 'g-c', name: 'G', category: 'c' };
  for (const starts of [undefined, '', '?', '2027-01-02T20:00Z']) {
    const events = [
      { title: 'Own', starts: '2027-01-01' },
      { title: 'Own', starts },
    ];
    const { findings } = readSubject({ name: 'S', events }, 's', genre, 0);
    const proposals = findings.flatMap(({ problem }) => (problem.code === 'duplicate-id' ? problem.proposal : []));
    expect(proposals.filter((id) => id !== null && isId(id))).toHaveLength(1);
  }
});
