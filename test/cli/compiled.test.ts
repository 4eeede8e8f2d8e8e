import { cpSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../setup/folders.ts';
import { almanac, runAlmanac } from '../setup/run-almanac.ts';

const root = join(import.meta.dirname, '../..');
let [bin, kept, spy, spied] = ['', '', '', ''];

/** A copy of the program, for it is to be damaged. */
beforeEach(() => {
  const copy = tempFolder();
  bin = join(copy, 'lib/bin');
  kept = join(bin, 'compiled', `${process.version}-${process.arch}`);
  [spy, spied] = [join(copy, 'spy.cjs'), join(copy, 'spied.json')];
  cpSync(join(dirname(almanac), '..'), join(copy, 'lib'), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(
    spy,
    `const vm = require('node:vm');
    const scripts = {};
    vm.Script = class extends vm.Script {
      constructor(code, options) {
        super(code, options);
        scripts[require('node:path').basename(options.filename)] = this.cachedDataRejected;
      }
    };
    process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(spied)}, JSON.stringify(scripts)));`,
  );
});

/** Builds the small catalogue by the copied program: its inventory, and of which scripts V8 has refused what was kept. */
async function build(flags: readonly string[] = []): Promise<{ inventory: string; refused: Record<string, boolean> }> {
  const options = ['--now', '2026-11-20T12:17:00Z', '--base-url', 'https://example.org', '--quiet'];
  const data = join(root, 'test/fixtures/client/data');
  const cwd = tempFolder();
  const run = await runAlmanac(['build', '--data', data, ...options], {
    cwd,
    node: [...flags, '--require', spy],
    program: join(bin, 'main.js'),
  });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return {
    inventory: readFileSync(join(cwd, 'dist/files.json'), 'utf8'),
    refused: JSON.parse(readFileSync(spied, 'utf8')) as Record<string, boolean>,
  };
}

// Windows has no such bit.
test.skipIf(process.platform === 'win32')('what was compiled may be started by its name, as npx does', () => {
  expect(statSync(almanac).mode & 0o111).toBe(0o111);
});

test('a build runs what was compiled; without it, or with what V8 refuses, it makes the same site', async () => {
  const names = readdirSync(kept);
  expect(names).toContainEqual(expect.stringMatching(/^program-/));
  expect(names).toContainEqual(expect.stringMatching(/^shared-/));
  const compiled = await build();
  expect(Object.keys(compiled.refused).length).toBeGreaterThan(2);
  expect(Object.values(compiled.refused)).not.toContain(true);

  // V8 refuses what it made with other flags: the first file tells, and no other is tried.
  const flagged = await build(['--stack-size=900']);
  expect(Object.values(flagged.refused)).toEqual([true]);
  expect(flagged.inventory).toBe(compiled.inventory);

  rmSync(kept, { recursive: true });
  const plain = await build();
  expect(plain).toEqual({ inventory: compiled.inventory, refused: {} });
});

test('what is damaged, or of a file with another text, is not run', async () => {
  const name = readdirSync(bin).find((file) => file.startsWith('shared-')) ?? '';
  const whole = await build();
  expect(whole.refused).toHaveProperty([name], false);

  const compiled = readFileSync(join(kept, name));
  compiled.writeUInt8(compiled.readUInt8(100_000) ^ 1, 100_000);
  writeFileSync(join(kept, name), compiled);
  const damaged = await build();
  expect(damaged.refused).not.toHaveProperty([name]);
  expect(damaged.inventory).toBe(whole.inventory);

  compiled.writeUInt8(compiled.readUInt8(100_000) ^ 1, 100_000);
  writeFileSync(join(kept, name), compiled);
  const text = readFileSync(join(bin, name), 'utf8');
  writeFileSync(join(bin, name), text.replaceAll('upcoming_until', 'upcoming_untiX'));
  const edited = await build();
  expect(edited.refused).not.toHaveProperty([name]);
  expect(edited.inventory).not.toBe(whole.inventory);
});
