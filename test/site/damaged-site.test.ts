import fc from 'fast-check';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesDocument } from '../../src/api/documents.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { lastingFolder, readTree, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const first: Events = {
  'tv/drama/severance': { Premiere: '2027-01-15', Finale: '2027-03-19', Return: '2028-Q1' },
  'film/comedy/hacks': { Opening: '2027-02-01', Closing: '2027-02-09' },
};
const second: Events = { ...first, 'film/comedy/hacks': { Opening: '2027-02-02', Closing: '2027-02-09' } };
const third: Events = { ...second, 'tv/drama/severance': { ...second['tv/drama/severance'], Finale: '2027-03-20' } };

type Damage = 'remove' | 'cut' | 'change';

function damaged(bytes: Buffer, damage: Damage, share: number): Buffer {
  const at = Math.floor(share * bytes.length);
  if (damage === 'cut') return bytes.subarray(0, at);
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

const log = 'api/v1/changes.json';
/** What depends on how much of the log and of the times could be read. */
const depends = /^(api\/v1\/(changes\.json|index\.html)|files\.json|changes\/index\.html|.*feed\.xml)$/;
const times = /"updated_at":(null|"[^"]*")|^(DTSTAMP|LAST-MODIFIED|SEQUENCE):.*$/gm;

function stable(tree: ReadonlyMap<string, Buffer>): [string, string][] {
  return [...tree]
    .filter(([name]) => !depends.test(name))
    .map(([name, bytes]) => [name, bytes.toString('latin1').replace(times, '')]);
}

test('a build against a site with any one file damaged: a whole site, the log, and at most warnings', async () => {
  const cwd = lastingFolder();
  await buildSite(first, '2026-11-20T12:17:00Z', { cwd, out: 'live' });
  const live = await buildSite(second, '2026-11-21T12:17:00Z', { cwd, out: 'live' });
  const data = writeTree(lastingFolder(), dataOf(third));
  const args = ['build', '--data', data, '--now', '2026-11-22T12:17:00Z', '--against', 'live', '--json', '--no-flush'];
  await runAlmanac([...args, '--out', 'expected'], { cwd });
  const expected = readTree(join(cwd, 'expected'));
  const { changes } = JSON.parse(readFileSync(join(live, log), 'utf8')) as ChangesDocument;
  expect(changes).not.toEqual([]);
  const documents = [...readTree(live).keys()].filter((path) => /^api\/.*json$|^files\.json$/.test(path));
  const path = fc.oneof(fc.constantFrom(...documents), fc.constantFrom(...readTree(live).keys()));
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const damages = fc.constantFrom<Damage>('remove', 'cut', 'change');
  await fc.assert(
    fc.asyncProperty(path, damages, share, async (file, damage, at) => {
      // Without the manifest there is no site, which is a problem.
      fc.pre(file !== 'files.json' || damage !== 'remove');
      const whole = readFileSync(join(live, file));
      if (damage === 'remove') rmSync(join(live, file));
      else writeFileSync(join(live, file), damaged(whole, damage, at));
      const run = await runAlmanac([...args, '--out', 'next'], { cwd });
      writeFileSync(join(live, file), whole);
      expect(run.stderr.replaceAll(/^warning: .*\n/gm, '')).toBe('');
      expect(run.code, run.stdout).toBe(0);
      const next = readTree(join(cwd, 'next'));
      expect(stable(next)).toEqual(stable(expected));
      const found = JSON.parse(readFileSync(join(cwd, 'next', log), 'utf8')) as ChangesDocument;
      if (file !== log) expect(found.changes).toEqual(expect.arrayContaining(changes));
    }),
    { numRuns: 40 },
  );
}, 120_000);
