import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isStart, readStart } from '../../src/catalogue/time/start.ts';
import { proposeStart } from '../../src/source/event-times.ts';

test.each([
  ['2027-1-5', '2027-01-05'],
  ['2027/01/05', '2027-01-05'],
  ['2027.1.5', '2027-01-05'],
  ['20270105', '2027-01-05'],
  ['15/01/2027', '2027-01-15'],
  ['1/15/2027', '2027-01-15'],
  ['15-01-2027', '2027-01-15'],
  ['5.1.2027', '2027-01-05'],
  ['05/05/2027', '2027-05-05'],
  ['2027-01-05 19:30', '2027-01-05T19:30'],
  ['2027-01-05, 9:30', '2027-01-05T09:30'],
  ['15/01/2027 19:30:05', '2027-01-15T19:30:05'],
  ['2027-01-05t19:30z', '2027-01-05T19:30Z'],
  ['2027-01-05T19:30:00.000Z', '2027-01-05T19:30Z'],
  ['2027-01-05T19:30+0200', '2027-01-05T19:30+02:00'],
  [' 2027-01-05\n', '2027-01-05'],
  ['5 May 2027', '2027-05-05'],
])('for %j, proposes %s', (written, proposal) => {
  expect(proposeStart(written)).toBe(proposal);
});

test.each([
  '',
  'soon',
  '05/01/2027',
  '31/02/2027',
  '2027-13-01',
  '5.1.27',
  '2027-01/05',
  '2027-01-05 25:00',
  '1899-1-1',
])('for %j, proposes nothing', (written) => {
  expect(proposeStart(written)).toBeNull();
});

test('only proposes valid starts', () => {
  const part = fc.oneof(
    fc.integer({ min: 0, max: 2100 }).map(String),
    fc.constantFrom('-', '/', '.', ' ', 'T', ':', 'Z'),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const proposal = proposeStart(parts.join(''));
      if (proposal === null) return;
      const readings = [null, 'UTC'].map((zone) => readStart(proposal, zone));
      expect(readings.some(isStart)).toBe(true);
    }),
  );
});
