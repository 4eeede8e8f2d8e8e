import fc from 'fast-check';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../setup/folders.ts';
import { engine, onPath } from '../setup/engines.ts';
import { spawnAlmanac, type Run } from '../setup/run-almanac.ts';
import { countOf, report } from './counts.ts';
import { leftovers, prepareTwoSites, type Letter } from './sites.ts';

const busy =
  /^another almanac \([^\n]+\) is building "[^"\n]+"; wait until it ends and run this again\n$/;

const competitors = fc.array(fc.constantFrom<Letter>('a', 'b'), { minLength: 2, maxLength: 4 });

test('one of several concurrent builds of a folder succeeds, and the others fail with one line', async () => {
  const counts = await race(tempFolder(), spawnAlmanac);
  report(
    `${countOf('races')} races of 2 to 4 builds: ${counts.built} built, ${counts.gaveWay} gave way, 0 mixed sites`,
  );
});

// Processes in separate namespaces cannot see one another, like containers that share a volume.
const unshare = engine(
  'unshare',
  () => (process.getuid?.() === 0 ? onPath('unshare') : null),
  'as root: apt-get install util-linux',
);

test.skipIf(unshare === null)(
  'one of several concurrent builds in containers that share a folder succeeds, and the others fail with one line',
  async () => {
    // Without --mount-proc: a copy of the mounts would keep the disks of other tests mounted.
    const inContainer = [unshare ?? '', '--pid', '--fork', '--uts'];
    const counts = await race(tempFolder(), async (args, { cwd }) =>
      spawnAlmanac(args, { cwd, within: inContainer }),
    );
    report(
      `${countOf('races')} races of 2 to 4 containers: ${counts.built} built, ${counts.gaveWay} gave way, 0 mixed sites`,
    );
  },
);

/**
 * Runs concurrent builds of two catalogues in one folder, and expects the whole site of a winner
 * after each race.
 */
async function race(
  cwd: string,
  start: (args: readonly string[], options: { readonly cwd: string }) => Promise<Run>,
): Promise<{ built: number; gaveWay: number }> {
  const { build, siteIn } = await prepareTwoSites(cwd);
  const counts = { built: 0, gaveWay: 0 };
  mkdirSync(join(cwd, 'www'), { recursive: true });
  for (const letters of fc.sample(competitors, {
    numRuns: countOf('races'),
    seed: countOf('seed'),
  })) {
    const runs = await Promise.all(letters.map((letter) => start(build(letter), { cwd })));
    for (const { code, signal, stdout, stderr } of runs) {
      expect([code, signal, stdout]).toEqual([code === 0 ? 0 : 1, null, '']);
      expect(stderr).toMatch(code === 0 ? /^$/ : busy);
      counts[code === 0 ? 'built' : 'gaveWay']++;
    }
    const winners = letters.filter((_, index) => runs[index]?.code === 0);
    expect(winners).toContain(siteIn(join(cwd, 'www/dist')));
    expect(leftovers(cwd)).toEqual([]);
  }
  return counts;
}
