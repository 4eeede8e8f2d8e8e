import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempFolder } from '../setup/folders.ts';
import { almanac, runAlmanac } from '../setup/run-almanac.ts';

const root = join(import.meta.dirname, '../..');
const copy = tempFolder(afterAll);
const bin = join(copy, 'lib/bin');
const kept = join(bin, 'compiled', `${process.version}-${process.arch}`);
const spy = join(copy, 'spy.cjs');
const spied = join(copy, 'spied.json');

beforeAll(() => {
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
async function build(): Promise<{ inventory: string; refused: Record<string, boolean> }> {
  const options = ['--now', '2026-11-20T12:17:00Z', '--base-url', 'https://example.org', '--quiet'];
  const data = join(root, 'test/fixtures/client/data');
  const cwd = tempFolder();
  const run = await runAlmanac(['build', '--data', data, ...options], {
    cwd,
    node: ['--require', spy],
    program: join(bin, 'main.js'),
  });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return {
    inventory: readFileSync(join(cwd, 'dist/files.json'), 'utf8'),
    refused: JSON.parse(readFileSync(spied, 'utf8')) as Record<string, boolean>,
  };
}

test('a build runs what was compiled; without it, or with what V8 refuses, it makes the same site', async () => {
  const names = readdirSync(kept);
  expect(names).toContainEqual(expect.stringMatching(/^program-/));
  expect(names).toContainEqual(expect.stringMatching(/^shared-/));
  const compiled = await build();
  expect(Object.keys(compiled.refused).length).toBeGreaterThan(3);
  expect(Object.values(compiled.refused)).not.toContain(true);

  for (const name of names) writeFileSync(join(kept, name), 'of another V8');
  const refused = await build();
  expect(refused.refused).toEqual(Object.fromEntries(Object.keys(compiled.refused).map((name) => [name, true])));
  expect(refused.inventory).toBe(compiled.inventory);

  rmSync(kept, { recursive: true });
  const plain = await build();
  expect(plain).toEqual({ inventory: compiled.inventory, refused: {} });
});
