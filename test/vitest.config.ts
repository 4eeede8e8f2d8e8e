import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    dir: 'test',
    include: ['**/*.test.ts'],
    // Minutes long, and run by `npm run test:faults`.
    exclude: ['**/faults/**'],
    globalSetup: 'test/setup/compile.ts',
    setupFiles: 'test/setup/compare-bytes.ts',
    // One more than vitest would start: where there are two cores, that is twice as many.
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What tests print must not depend on where they run.
    env: { TZ: 'UTC' },
  },
});
