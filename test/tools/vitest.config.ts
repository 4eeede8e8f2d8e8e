import { defineConfig } from 'vitest/config';

/**
 * `npm run test:tools`: generators of clients, other programs that read openapi.json, Deno and Bun.
 * They have packages of their own.
 */
export default defineConfig({
  test: {
    dir: 'test/tools',
    include: ['*.test.ts'],
    globalSetup: 'test/setup/compile.ts',
    setupFiles: 'test/setup/each-file.ts',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    env: { TZ: 'UTC' },
  },
});
