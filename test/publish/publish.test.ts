import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { GenresDocument } from '../../src/api/documents.ts';
import { publishSite, type PublishReport } from '../../src/publish/publish.ts';
import { openSite, type Site } from '../../src/site/site.ts';
import { ProblemError, problemLine, type Problem } from '../../src/problem/problem.ts';
import { buildSite } from '../setup/build-site.ts';
import { lastingFolder, readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { serve } from '../setup/serve-folder.ts';
import { credentials, startFakeS3, type FakeS3, type FaultyRequest } from './fake-s3.ts';

/*
 * Publishes to a fake service in memory that can return false responses. test/publish/s3.test.ts
 * publishes to a real one.
 */

const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
const sites = { first: '', second: '' };
beforeAll(async () => {
  const folders = (): object => ({ cwd: lastingFolder(), source: lastingFolder() });
  const first = {
    'tv/drama/severance': { 'Season 3': '2027-01-15' },
    'tv/comedy/hacks': { Pilot: '2027-02-01' },
  };
  sites.first = await buildSite(first, '2026-11-20T12:17:00Z', folders());
  // One event moved and a genre is gone.
  const second = { 'tv/drama/severance': { 'Season 3': '2027-01-22' } };
  sites.second = await buildSite(second, '2026-11-21T12:17:00Z', folders());
});

interface Options {
  readonly prefix?: string;
  readonly dryRun?: boolean;
  readonly adopt?: boolean;
}

async function publish(s3: FakeS3, dist: string, options: Options = {}): Promise<PublishReport> {
  const { prefix = '', dryRun = false, adopt = false } = options;
  const site = openSite(dist, '.');
  return publishSite({
    site,
    bucket: s3.bucket(prefix),
    target: `s3://bucket/${prefix}`,
    dryRun,
    adopt,
  });
}

/** Publishes, expects it to fail, and returns the problem. */
async function failure(s3: FakeS3, dist: string, options: Options = {}): Promise<Problem> {
  const error: unknown = await publish(s3, dist, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof ProblemError) || error.problems[0] === undefined)
    throw new Error('it did not fail');
  return error.problems[0];
}

/** Expects that the objects below a prefix are exactly the files of a site. */
function expectSite(s3: FakeS3, dist: string, prefix = '', foreign: readonly string[] = []): void {
  const keys = [...s3.objects.keys()].filter(
    (key) => key.startsWith(prefix) && !foreign.includes(key),
  );
  const stored = new Map(
    keys.map((key) => [key.slice(prefix.length), s3.objects.get(key)?.body] as const),
  );
  expect(new Map([...stored].toSorted(([a], [b]) => (a < b ? -1 : 1)))).toEqual(readTree(dist));
}

test('the site of another catalogue is never replaced (site-of-another)', async () => {
  const s3 = await startFakeS3();
  await publish(s3, sites.first);
  const service = { name: 'Other', base_url: 'https://other.example' };
  const other = await buildSite(
    { 'tax/income/dates': { Return: '2027-04-15' } },
    '2026-11-20T12:17:00Z',
    { service },
  );
  const run = async (...args: string[]) =>
    runAlmanac(['publish', 's3://bucket', '--endpoint', s3.url, '--out', other, ...args], {
      cwd: tempFolder(),
      env,
    });
  for (const args of [[], ['--dry-run'], ['--adopt']]) {
    const refused = await run(...args);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another catalogue, "Test"'),
    });
    expectSite(s3, sites.first);
  }
});

describe('objects that almanac did not store', () => {
  const foreign = {
    'index.html': 'my only copy',
    // To look at its metadata, its megabytes are not needed.
    '404.html': 'mine'.repeat(300_000),
    'api/v1/notes.txt': 'mine',
    'photos/a.jpg': 'jpg',
  };
  const startWithForeign = async (): Promise<FakeS3> => {
    const s3 = await startFakeS3();
    for (const [key, body] of Object.entries(foreign)) s3.put(key, body);
    return s3;
  };
  const bodies = (s3: FakeS3): object =>
    Object.fromEntries(
      Object.keys(foreign).map((key) => [key, s3.objects.get(key)?.body.toString()]),
    );

  test.each([false, true])(
    'are not replaced but reported as objects-not-ours (dry run: %s)',
    async (dryRun) => {
      const s3 = await startWithForeign();
      const problem = await failure(s3, sites.first, { dryRun });
      expect(problem).toEqual({
        code: 'objects-not-ours',
        place: null,
        target: 's3://bucket/',
        paths: ['404.html', 'index.html'],
      });
      expect(problemLine(problem)).toContain('found 2 objects');
      expect(bodies(s3)).toEqual(foreign);
      expect(s3.objects.size).toBe(4);
    },
  );

  test('are replaced with --adopt if the site has files of the same names, and the dry run lists them', async () => {
    const s3 = await startWithForeign();
    const args = [
      'publish',
      's3://bucket',
      '--endpoint',
      s3.url,
      '--out',
      sites.first,
      '--adopt',
      '--dry-run',
    ];
    const { code, stdout } = await runAlmanac(args, { cwd: tempFolder(), env });
    expect(code).toBe(0);
    expect(stdout.match(/^ {2}replace .*$/gm)?.toSorted()).toEqual([
      '  replace 404.html',
      '  replace index.html',
    ]);
    expect(stdout).toContain('  upload api/v1/events.json\n');
    expect(bodies(s3)).toEqual(foreign);
    const { replaced } = await publish(s3, sites.first, { adopt: true });
    expect(replaced.toSorted()).toEqual(['404.html', 'index.html']);
    expectSite(s3, sites.first, '', ['api/v1/notes.txt', 'photos/a.jpg']);
  });

  test('are not replaced by a later publication either', async () => {
    const s3 = await startFakeS3();
    await publish(s3, sites.second);
    s3.put('api/v1/genre/comedy-tv/events.json', 'mine');
    expect(await failure(s3, sites.first)).toMatchObject({
      code: 'objects-not-ours',
      paths: ['api/v1/genre/comedy-tv/events.json'],
    });
    expectSite(s3, sites.second, '', ['api/v1/genre/comedy-tv/events.json']);
  });

  test('are not deleted, even if the manifest lists them', async () => {
    const s3 = await startFakeS3();
    await publish(s3, sites.first);
    const manifest = JSON.parse(s3.objects.get('files.json')?.body.toString() ?? '') as {
      files: object;
    };
    const files = { ...manifest.files, 'backup.tar': { bytes: 1, sha256: '0'.repeat(64) } };
    s3.put('files.json', JSON.stringify({ ...manifest, files }));
    s3.put('backup.tar', 'years of work');
    s3.put('api/v1/notes.txt', 'mine');
    for (const dryRun of [true, false])
      expect((await publish(s3, sites.second, { dryRun })).deleted).toContain(
        'api/v1/genre/comedy-tv/events.json',
      );
    expectSite(s3, sites.second, '', ['backup.tar', 'api/v1/notes.txt']);
    expect(s3.objects.get('backup.tar')?.body.toString()).toBe('years of work');
  });
});

describe('objects of almanac', () => {
  test('of another site are kept even without its manifest, like copies of this site', async () => {
    const s3 = await startFakeS3();
    await publish(s3, sites.first, { prefix: 'api/' });
    s3.objects.delete('api/files.json');
    await publish(s3, sites.first);
    const { body, headers } = s3.objects.get('api/v1/events.json') ?? { body: '', headers: {} };
    s3.put('api/v1/copy.json', body, headers);
    await publish(s3, sites.second);
    const inner = [...s3.objects.keys()].filter(
      (key) => key.startsWith('api/') && !key.startsWith('api/v1/'),
    );
    expect(inner).toHaveLength(readTree(sites.first).size - 1);
    expectSite(s3, sites.second, '', [...inner, 'api/v1/copy.json']);
  });
});

function refuse(response: FaultyRequest['response']): true {
  response.writeHead(403).end();
  return true;
}

describe('a service with false responses', () => {
  const page = (content: string): string => `<ListBucketResult>${content}</ListBucketResult>`;
  const endless =
    '<IsTruncated>true</IsTruncated><NextContinuationToken>same</NextContinuationToken>';
  test.each([
    ['without end', page(endless), 'does not end'],
    [
      'without the token of the next page',
      page('<IsTruncated>true</IsTruncated>'),
      'cannot be read',
    ],
    [
      'with a key that cannot be decoded',
      page('<Contents><Key>%ZZ</Key></Contents>'),
      'cannot be read',
    ],
    ['with an object without a key', page('<Contents><ETag>x</ETag></Contents>'), 'cannot be read'],
    ['with an object without an ETag', page('<Contents><Key>a</Key></Contents>'), 'cannot be read'],
    ['that breaks off', '<ListBucketResult><Contents><Key>a</Key></Contents>', 'cannot be read'],
    ['that is an error', '<Error><Code>InternalError</Code></Error>', 'cannot be read'],
    ['that is a web page', '<html>Log in</html>', 'cannot be read'],
  ])('fails with a clear message for a listing %s', async (_, text, reason) => {
    const s3 = await startFakeS3();
    s3.fault = ({ key, response }) => key === 'list' && Boolean(response.end(text));
    const problem = await failure(s3, sites.first);
    expect(problem).toMatchObject({ code: 'bucket-refused', asked: 'GET' });
    expect(problemLine(problem)).toContain(reason);
    expect(s3.objects.size).toBe(0);
  });

  test('reads a listing of many unclosed objects in linear time', async () => {
    const s3 = await startFakeS3();
    const hostile = page('<Contents>'.repeat(1_000_000));
    s3.fault = ({ key, response }) => key === 'list' && Boolean(response.end(hostile));
    expect(problemLine(await failure(s3, sites.first))).toContain('cannot be read');
  });

  test('ignores keys outside the prefix', async () => {
    const s3 = await startFakeS3();
    s3.fault = ({ key, response }) =>
      key === 'list' &&
      Boolean(
        response.end(
          page(
            '<Contents><Key>x/index.html</Key><ETag>x</ETag><LastModified></LastModified></Contents>',
          ),
        ),
      );
    expect(await s3.bucket('site/').list()).toEqual(new Map());
  });

  const { sessionToken, ...keys } = credentials;
  type Headers = Record<string, string> & { 'x-amz-security-token': string };
  test.each<[string, (headers: Headers) => string]>([
    [
      'unchanged',
      (headers) =>
        Object.entries(headers)
          .map(([name, value]) => `${name}=${value}`)
          .join(' '),
    ],
    [
      'as entities',
      (headers) =>
        headers['x-amz-security-token'].replace(/[^a-z]/gi, (c) => `&#${c.charCodeAt(0)};`),
    ],
  ])(
    'prints no credential if the service refuses and repeats the headers %s',
    async (_, repeat) => {
      const s3 = await startFakeS3();
      s3.fault = ({ headers, response }) => {
        const message = repeat({ ...(headers as Headers), ...keys });
        response.writeHead(403, { location: `/?${message}` });
        response.end(`<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`);
        return true;
      };
      const args = ['publish', 's3://bucket', '--endpoint', s3.url, '--out', sites.first];
      const secrets = {
        AWS_ACCESS_KEY_ID: keys.accessKeyId,
        AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
        AWS_SESSION_TOKEN: sessionToken,
      };
      const { code, stdout, stderr } = await runAlmanac(args, { cwd: tempFolder(), env: secrets });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('403 AccessDenied');
      for (const secret of Object.values(credentials)) expect(stderr).not.toContain(secret);
    },
  );
});

test.each(['PUT', 'GET'])(
  'stops after another publisher that comes before a %s of the manifest',
  async (asked) => {
    const s3 = await startFakeS3();
    if (asked === 'GET') await publish(s3, sites.first);
    const [mine, other] =
      asked === 'GET' ? [sites.second, sites.first] : [sites.first, sites.second];
    const manifest = readFileSync(join(mine, 'files.json'));
    s3.fault = async ({ method, key }) => {
      // It reads its manifest once more before it deletes what the site before it had.
      const isBefore = method === 'PUT' || s3.objects.get(key)?.body.equals(manifest) === true;
      if (key !== 'files.json' || method !== asked || !isBefore) return false;
      s3.fault = () => false;
      await publish(s3, other);
      return false;
    };
    expect(await failure(s3, mine)).toMatchObject({ code: 'publisher-overtaken' });
    expectSite(s3, other);
  },
);

test('a publication that ends at any of its requests leaves a site that answers, and the next one completes it', async () => {
  const s3 = await startFakeS3();
  const documentOf = (path: string): unknown =>
    JSON.parse(String(s3.objects.get(`api/v1/${path}`)?.body));
  let wasStopped = true;
  for (let requests = 1; wasStopped; requests += 3) {
    const [previous, next] =
      requests % 4 < 2 ? [sites.first, sites.second] : [sites.second, sites.first];
    await publish(s3, previous);
    expectSite(s3, previous);
    let left = requests;
    s3.fault = ({ response }) => left-- <= 0 && refuse(response);
    wasStopped = await publish(s3, next).then(
      () => false,
      () => true,
    );
    s3.fault = () => false;
    const { genres } = documentOf('genres.json') as GenresDocument;
    for (const { id } of genres)
      expect(documentOf(`genre/${id}/events.json`)).toMatchObject({ filters: { genre: id } });
  }
});

test('succeeds if the response to the write of the manifest is lost', async () => {
  const s3 = await startFakeS3();
  s3.fault = ({ method, key, body, response }) => {
    if (method !== 'PUT' || key !== 'files.json') return false;
    s3.fault = () => false;
    s3.put(key, body);
    response.destroy();
    return true;
  };
  expect((await publish(s3, sites.first)).uploaded.at(-1)).toBe('files.json');
});

test('publishes the site that it started with, even if a build replaces the site meanwhile', async () => {
  const s3 = await startFakeS3();
  const [before, after] = [openSite(sites.first, '.'), openSite(sites.second, '.')];
  let looks = 0;
  const read: Site['read'] = async (path) =>
    path === 'files.json' && looks++ > 0 ? after.read(path) : before.read(path);
  const site = { ...before, read };
  const steps: number[][] = [];
  const onStep = (...step: number[]): void => void steps.push(step);
  await publishSite({
    site,
    bucket: s3.bucket(''),
    target: 's3://bucket/',
    dryRun: false,
    adopt: false,
    onStep,
  });
  expectSite(s3, sites.first);
  expect(steps.at(-1)).toEqual([s3.objects.size, s3.objects.size]);
});

test('a foreign files.json and a site that differs from its manifest are refused', async () => {
  const s3 = await startFakeS3();
  s3.put('files.json', '{"mine":true}');
  expect(problemLine(await failure(s3, sites.first))).toContain('choose another prefix');
  s3.objects.delete('files.json');
  const damaged = writeTree(tempFolder(), Object.fromEntries(readTree(sites.first)));
  writeTree(damaged, { 'api/v1/events.json': '{}' });
  expect(problemLine(await failure(s3, damaged))).toContain('not the file in files.json');
});

test.each(['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'])(
  'a line break in %s is refused, and not printed',
  async (name) => {
    const wrong = { ...env, [name]: 'sec\nret' };
    const { code, stdout } = await runAlmanac(['publish', 's3://bucket', '--json'], {
      cwd: tempFolder(),
      env: wrong,
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, problems: [{ code: 'bad-variable' }] });
    expect(stdout).toContain(name);
    expect(stdout).not.toMatch(/sec\W*ret/);
  },
);

test.each([['GET'], ['PUT']])(
  'does not follow a redirected %s: bucket-refused',
  async (redirected) => {
    const asked: string[] = [];
    const other = await serve(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      response.end();
    });
    const empty = await serve(({ method, url }, response) => {
      if (method === redirected) response.writeHead(303, { location: `${other}/there` }).end();
      else if (url?.includes('list-type=2')) response.end('<ListBucketResult/>');
      else response.writeHead(404).end();
    });
    const args = ['publish', 's3://bucket', '--out', sites.first, '--endpoint', empty];
    const { code, stdout, stderr } = await runAlmanac(args, { cwd: tempFolder(), env });
    expect({ code, stdout, asked }).toEqual({ code: 1, stdout: '', asked: [] });
    expect(stderr).toContain(
      `refused a ${redirected}: 303 (a redirect to ${other}/there, which is not followed)`,
    );
  },
);
