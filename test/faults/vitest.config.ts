import { defineConfig } from 'vitest/config';

/** `npm run test:faults`: what takes minutes, and prints what it counted. How many of each: counts.ts. */
export default defineConfig({
  test: {
    dir: 'test/faults',
    include: ['**/*.test.ts'],
    globalSetup: 'test/setup/compile.ts',
    setupFiles: 'test/setup/compare-bytes.ts',
    maxWorkers: 2,
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    disableConsoleIntercept: true,
    env: { TZ: 'UTC' },
  },
});
