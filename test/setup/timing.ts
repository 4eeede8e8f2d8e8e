import type { Timing } from '../../src/system/http.ts';

/** Timing that never waits: pauses take no time, and nothing times out. */
export const noTime: Timing = { sleep: async () => {}, schedule: () => () => {}, random: () => 1 };
