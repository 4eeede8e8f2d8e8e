import type { Timing } from '../../src/system/http.ts';

/** A clock that stands still: nothing times out, and pauses take no time. */
export const noTime: Timing = { sleep: async () => {}, schedule: () => () => {}, random: () => 1 };
