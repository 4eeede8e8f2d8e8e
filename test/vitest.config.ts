import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { folderInMemory } from './setup/memory.ts';

/**
 * Begins with files that wait long for other programs. None of them should run alone at the end.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const long = /(accessibility|languages|s3|conformance|first-push)\.test\.ts$/;
    const rank = ({ moduleId }: TestSpecification): number => (long.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/*
 * A test talks to another program, such as a browser or a web server, if it imports a module that
 * starts one. ALMANAC_ENGINES=no leaves these tests out, and ALMANAC_ENGINES=only runs no others.
 */
const startsEngine =
  /from '[./\w-]*\/(engines|browser|radosgw|evolution|s3-client|start-hosts|steps|ten-nights)\.ts'/;
const withEngines = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    file.endsWith('.test.ts') &&
    startsEngine.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
);
const engines = process.env['ALMANAC_ENGINES'];

export default defineConfig({
  test: {
    dir: 'test',
    include: engines === 'only' ? withEngines : ['**/*.test.ts'],
    // `npm run test:faults` takes minutes, and `npm run test:tools` installs many packages.
    exclude: ['**/faults/**', '**/tools/**', ...(engines === 'no' ? withEngines : [])],
    globalSetup: 'test/setup/compile.ts',
    setupFiles: 'test/setup/each-file.ts',
    // Some tests wait for other programs, so three workers keep two cores busy.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // The files of a worker share its process and modules. Loading both again for each file would
    // take a minute.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // The limits end a test that hangs. They are so long that the load of the machine does not
    // matter.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // One line for each file, without its slow tests.
    slowTestThreshold: Infinity,
    // Writes the file snapshots again, as the golden tests write their files.
    update: process.env['ALMANAC_UPDATE_GOLDEN'] === '1',
    // What tests print must not depend on where they run, and their thousands of small files need
    // no disk.
    env: { TZ: 'UTC', TMPDIR: folderInMemory(2e9) },
  },
});
