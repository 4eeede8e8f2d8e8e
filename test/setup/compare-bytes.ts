import { expect } from 'vitest';

// By default vitest compares buffers element by element, which takes seconds for a site.
expect.addEqualityTesters([(a, b) => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined)]);
