import { defineConfig } from 'vitest/config';

/**
 * Configuration of `npm run test:faults`, whose tests take minutes. counts.ts sets the numbers of
 * attempts.
 */
export default defineConfig({
  test: {
    dir: 'test/faults',
    include: ['**/*.test.ts'],
    globalSetup: 'test/setup/compile.ts',
    setupFiles: 'test/setup/each-file.ts',
    maxWorkers: 2,
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    disableConsoleIntercept: true,
    slowTestThreshold: Infinity,
    env: { TZ: 'UTC' },
  },
});
