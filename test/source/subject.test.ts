import { expect, test } from 'vitest';
import { isId } from '../../src/source/rules.ts';
import { readSubject } from '../../src/source/subject.ts';

interface Written {
  readonly title: string;
  readonly starts?: string | undefined;
  readonly id?: string;
}

const starts = '2027-01-02';
const own = { title: 'Own', starts };
const first = { title: 'Own', starts: '2027-01-01' };
const taken = { title: 'Taken', starts, id: 'own-2027-01-02' };
const long = { title: 'A title that is very much longer than an id of sixty-four characters may be', starts, id: 'x' };
const cut = 'a-title-that-is-very-much-longer-than-an-id-of-sixty';

test.each<[string, Written[], (string | null)[]]>([
  ['the date', [first, own], ['own-2027-01-02']],
  ['the instant', [first, { ...own, starts: '2027-01-02T20:00Z' }], ['own-2027-01-02t20-00z']],
  ['2 without a start', [first, { title: 'Own' }], ['own-2']],
  ['2 for no start', [first, { ...own, starts: '?' }], ['own-2']],
  ['the date and 2 if its date is taken', [taken, own, own, own], ['own-2027-01-02-2', 'own-2027-01-02-2']],
  ['2-2 if 2 is taken', [{ title: 'Own 2', starts }, own, { ...own, starts: '?' }], ['own-2-2']],
  ['a shortened title', [long, long, long], [`${cut}-2027-01-02`, `${cut}-2027-01-02`]],
])('proposes for an id that is already used: %s', (_, events, expected) => {
  const { findings } = readSubject({ name: 'S', events }, 's', { id: 'g-c', name: 'G', category: 'c' }, { now: 0 });
  const proposals = findings.flatMap(({ problem }) => (problem.code === 'duplicate-id' ? [problem.proposal] : []));
  expect(proposals).toEqual(expected);
  expect(proposals.every((id) => id !== null && isId(id))).toBe(true);
});
