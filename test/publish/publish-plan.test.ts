import { expect, test } from 'vitest';
import { headersOf, planPublish } from '../../src/publish/publish-plan.ts';

const file = { sha256: 'a', md5: 'b' };
const same = { isSameGenerator: true, isEtagMd5: true };

test('does not mistake properties of every JavaScript object for files in the manifest', () => {
  const names = ['constructor', 'toString', '__proto__', 'gone.html'];
  const objects = new Map(names.map((name) => [name, { etag: '', modified: '' }]));
  const local = new Map([['index.html', file]]);
  const files = { 'gone.html': { bytes: 1, sha256: 'c' } };
  const remote = { ...same, objects, files };
  expect(planPublish(local, remote)).toEqual({
    uploads: [[], [], ['index.html']],
    replaced: [],
    strays: ['gone.html'],
  });
});

test('uploads compressed copies with their originals: documents, then lists, then indexes', () => {
  const names = [
    'index.html',
    'api/v1/index.json',
    'api/v1/genres',
    'api/v1/genres.json',
    'api/v1/events.json',
  ];
  const paths = names.flatMap((name) => [`${name}.gz`, name, `${name}.br`]);
  const { uploads } = planPublish(new Map(paths.map((path) => [path, file])), {
    ...same,
    objects: new Map(),
    files: null,
  });
  const named = uploads.map((step) => new Set(step.map((path) => path.replace(/\.(br|gz)$/, ''))));
  expect(named).toEqual(
    [['api/v1/events.json'], names.slice(2, 4), names.slice(0, 2)].map((step) => new Set(step)),
  );
  expect(uploads.flat().toSorted()).toEqual(paths.toSorted());
});

test('without MD5 ETags, trusts the manifest for objects that are not newer than it', () => {
  const plan = (modified: string, sha256: string): unknown => {
    const objects = new Map([
      ['a.json', { etag: '', modified }],
      ['files.json', { etag: '', modified: '2026-11-20T12:00:00.000Z' }],
    ]);
    const files = { 'a.json': { bytes: 1, sha256 } };
    return planPublish(new Map([['a.json', file]]), { ...same, isEtagMd5: false, objects, files });
  };
  const [nothing, again] = [
    [[], [], []],
    [['a.json'], [], []],
  ];
  const [stored, replaced] = [
    { uploads: nothing, replaced: [], strays: [] },
    { uploads: again, replaced: ['a.json'], strays: [] },
  ];
  expect(plan('2026-11-20T12:00:00.000Z', file.sha256)).toEqual(stored);
  expect(plan('2026-11-20T12:00:00.000Z', 'other')).toEqual(replaced);
  expect(plan('2026-11-20T12:00:01.000Z', file.sha256)).toEqual(replaced);
});

test('uploads everything again if another version of almanac published the previous site', () => {
  const objects = new Map([['a.json', { etag: file.md5, modified: '' }]]);
  const plan = (isSameGenerator: boolean): unknown =>
    planPublish(new Map([['a.json', file]]), {
      ...same,
      isSameGenerator,
      objects,
      files: {},
    }).uploads.flat();
  expect([plan(true), plan(false)]).toEqual([[], ['a.json']]);
});

test('never deletes the manifest, even if an earlier one listed itself', () => {
  const objects = new Map([['files.json', { etag: '', modified: '' }]]);
  const files = { 'files.json': { bytes: 1, sha256: 'c' } };
  expect(planPublish(new Map(), { ...same, objects, files }).strays).toEqual([]);
});

test.each([
  ['api/v1/events', 'application/json', 'public, max-age=300'],
  ['404.json', 'application/problem+json', 'public, max-age=60'],
  ['404.html', 'text/html; charset=utf-8', 'public, max-age=60'],
  ['files.json', 'application/json', 'no-cache'],
  ['fonts/a.unknown', 'application/octet-stream', 'public, max-age=300'],
])('stores %s as %s with %s', (path, type, caching) => {
  expect(headersOf(path)).toEqual({ 'content-type': type, 'cache-control': caching });
});
