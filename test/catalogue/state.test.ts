import { expect, test } from 'vitest';
import { announcementState, stateAt } from '../../src/catalogue/state.ts';

test.each<[number, number | null, string, string]>([
  [1, 9, 'upcoming', 'cancelled'],
  [4, 9, 'upcoming', 'cancelled'],
  [5, 9, 'under_way', 'cancelled'],
  [8, 9, 'under_way', 'cancelled'],
  [9, 9, 'over', 'over'],
  [4, null, 'upcoming', 'cancelled'],
  [5, null, 'over', 'over'],
])(
  'at %i, an event that is upcoming until 5 and over at %j is %s, or %s',
  (now, overAt, confirmed, cancelled) => {
    const states = (['confirmed', 'cancelled'] as const).map((status) =>
      stateAt({ status, upcomingUntil: 5, overAt }, now),
    );
    expect(states).toEqual([confirmed, cancelled]);
  },
);

test.each([
  [4, 'announced', 'cancelled'],
  [5, 'over', 'over'],
])('at %i, an announcement until 5 is %s, or %s', (now, confirmed, cancelled) => {
  const states = (['tentative', 'cancelled'] as const).map((status) =>
    announcementState({ status, announcedUntil: 5 }, now),
  );
  expect(states).toEqual([confirmed, cancelled]);
});
