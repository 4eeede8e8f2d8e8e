import { expect } from 'vitest';

// A file is the same or not: byte by byte, as vitest compares what it can iterate over, a site takes seconds.
expect.addEqualityTesters([(a, b) => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined)]);
