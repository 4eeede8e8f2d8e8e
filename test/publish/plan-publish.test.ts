import { expect, test } from 'vitest';
import { planPublish } from '../../src/publish/plan-publish.ts';

test("names that every object of JavaScript has are no files of a site: what bears them is somebody else's", () => {
  const names = ['constructor', 'toString', '__proto__', 'gone.html'];
  const objects = new Map(names.map((name) => [name, { etag: '', modified: '' }]));
  const local = new Map([['index.html', { sha256: 'a', md5: 'b' }]]);
  const files = { 'gone.html': { bytes: 1, sha256: 'c' } };
  const remote = { objects, files, isSameGenerator: true, isEtagMd5: true };
  expect(planPublish(local, remote)).toEqual({ uploads: [[], [], ['index.html']], strays: ['gone.html'] });
});
