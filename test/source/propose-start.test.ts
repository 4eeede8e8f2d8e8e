import { expect, test } from 'vitest';
import { proposeStart } from '../../src/source/event-times.ts';

test.each([
  ['2027-1-5', '2027-01-05'],
  ['15/01/2027', '2027-01-15'],
  ['1/15/2027', '2027-01-15'],
  ['5.1.2027', '2027-01-05'],
  ['2027-01-05, 9:30', '2027-01-05T09:30'],
  ['15/01/2027 19:30:05', '2027-01-15T19:30:05'],
  ['2027-01-05t19:30z', '2027-01-05T19:30Z'],
  ['2027-01-05T19:30:00.000Z', '2027-01-05T19:30Z'],
  [' 2027-01-05\n', '2027-01-05'],
  ['5 May 2027', '2027-05-05'],
])('for %j, proposes %s', (written, proposal) => {
  expect(proposeStart(written)).toBe(proposal);
});

test.each(['05/01/2027', '31/02/2027', '5.1.27', '2027-01/05', '1899-1-1'])('for %j, proposes nothing', (written) => {
  expect(proposeStart(written)).toBeNull();
});
