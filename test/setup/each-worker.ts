import { configureGlobal } from 'fast-check';
import { expect } from 'vitest';

// By default vitest compares buffers element by element, which takes seconds for a site.
expect.addEqualityTesters([
  (a, b) => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined),
]);

// Property tests use the same values in every run, except at night. ALMANAC_SEED=n selects others;
// a failure prints n.
configureGlobal({ seed: Number(process.env['ALMANAC_SEED'] || 20_261_120) });
