import { statSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { groupBy } from '../../src/catalogue/group.ts';
import suite from '../vitest.config.ts';
import { sampleMutants, withMutants } from './mutants.ts';

/*
 * All mutants of the sample are compiled in at once, and chosen when they run.
 */
const { MUTATION_SEED = '1', MUTATION_COUNT = '300', MUTATION_ROOMS = '' } = process.env;
const src = join(import.meta.dirname, '../../src/').replaceAll('\\', '/');
const sample = sampleMutants(Number(MUTATION_SEED), Number(MUTATION_COUNT), MUTATION_ROOMS);
const byFile = groupBy(sample, ({ file }) => src + file);

/**
 * Begins with small files of one room, because what they notice is not tried with the longer tests
 * of others.
 */
class SmallestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): number =>
      /\/test\/(build|cli)\//.test(moduleId) ? 1 : 0;
    const size = ({ moduleId }: TestSpecification): number => statSync(moduleId).size;
    return files.toSorted((a, b) => isLong(a) - isLong(b) || size(a) - size(b));
  }
}

/** Tests that wait long for other programs, which have no mutants. */
const startingPrograms = [
  '**/workflows/**',
  '**/docs/examples.test.ts',
  '**/package.test.ts',
  '**/client/types.test.ts',
  '**/server/node-server.test.ts',
  '**/cli/{node-version,old-node}.test.ts',
];

export default defineConfig({
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      transform: (code, id) => {
        const mutated = withMutants(code, byFile.get(id.split('?')[0] ?? id) ?? []);
        // Results from before a mutant would hide it, and results of a mutant must not outlive it.
        const isCache = id.endsWith('/memoize.ts');
        return isCache
          ? mutated.replace(
              '(key) => {',
              '(key) => { if (globalThis.isMutating()) return compute(key);',
            )
          : mutated;
      },
    },
  ],
  test: {
    ...suite.test,
    exclude: [...(suite.test?.exclude ?? []), ...startingPrograms],
    sequence: { sequencer: SmallestFirst },
    // `npm run mutation` has compiled the program.
    globalSetup: [],
    runner: join(import.meta.dirname, 'runner.ts'),
    update: false,
    reporters: ['dot'],
  },
});
