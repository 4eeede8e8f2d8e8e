import { expect, test } from 'vitest';
import { mountOf } from '../../src/api/address.ts';

test.each([
  ['https://example.org', ''],
  ['https://example.org/', ''],
  ['https://example.org:8080/almanac', '/almanac'],
  ['https://example.org/a/b/', '/a/b'],
  ['https://example.org/café/a+b', '/caf%C3%A9/a+b'],
])('the path of %s is %j', (baseUrl, mount) => {
  expect(mountOf(baseUrl)).toBe(mount);
});
