import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engine, onPath } from '../setup/engines.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { blocksOf } from './pages.ts';

const analyze = engine(
  'systemd-analyze',
  () => onPath('systemd-analyze'),
  'apt-get install systemd',
);

test.runIf(analyze !== null)('systemd accepts the service and the timer of docs/deploy.md', () => {
  const units = blocksOf('docs/deploy.md').filter(({ language }) => language === 'ini');
  const [service, timer] = units.map(({ code }) => code);
  expect(units).toHaveLength(2);
  const folder = writeTree(tempFolder(), {
    'almanac-build.service': service,
    'almanac-build.timer': timer,
  });
  const verify = (...files: string[]): string =>
    execFileSync(
      analyze ?? '',
      ['verify', '--man=no', ...files.map((file) => join(folder, file))],
      {
        encoding: 'utf8',
        stdio: 'pipe',
      },
    );
  expect(verify('almanac-build.service', 'almanac-build.timer')).toBe('');
  writeTree(folder, { 'wrong.timer': timer?.replace('12:17:00 UTC', 'noon') });
  expect(() => verify('wrong.timer')).toThrow(/noon/);
  const next = execFileSync(
    analyze ?? '',
    ['calendar', /OnCalendar=(.*)/.exec(timer ?? '')?.[1] ?? ''],
    {
      encoding: 'utf8',
    },
  );
  expect(next).toContain('12:17:00 UTC');
});
