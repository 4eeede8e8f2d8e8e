import { expect, test } from 'vitest';
import { engine, onPath } from './engines.ts';
import { readTree, tempFolder, writeTree } from './folders.ts';

test('readTree returns what writeTree wrote', () => {
  const folder = writeTree(tempFolder(), { 'b/c.txt': 'ü', 'a.json': { a: 1 } });
  const tree = readTree(folder);
  expect([...tree].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
    ['a.json', '{"a":1}\n'],
    ['b/c.txt', 'ü'],
  ]);
});

test('engine returns null for a missing program, or fails if engines are required', () => {
  expect(onPath('node')).not.toBeNull();
  expect(onPath('no-such-program-here')).toBeNull();
  expect(engine('node', () => onPath('node'), 'install it')).toBe(onPath('node'));
  const required = process.env['ALMANAC_REQUIRE_ENGINES'];
  try {
    process.env['ALMANAC_REQUIRE_ENGINES'] = '1';
    expect(() => engine('nothing', () => null, 'install it')).toThrow('nothing is missing');
  } finally {
    if (required === undefined) delete process.env['ALMANAC_REQUIRE_ENGINES'];
    else process.env['ALMANAC_REQUIRE_ENGINES'] = required;
  }
});
