import { expect, test, vi } from 'vitest';
import { engine, onPath } from './engines.ts';

test('engine returns null for a missing program, or fails if engines are required', () => {
  expect(onPath('no-such-program-here')).toBeNull();
  expect(engine('node', () => onPath('node'), 'install it')).toBe(onPath('node'));
  vi.stubEnv('ALMANAC_REQUIRE_ENGINES', '1');
  expect(() => engine('nothing', () => null, 'install it')).toThrow('nothing is missing');
  vi.unstubAllEnvs();
});
