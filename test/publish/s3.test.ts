import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readTree, tempFolder } from '../setup/folders.ts';
import { radosgw, startRadosgw, type S3Service } from '../setup/radosgw.ts';
import { runAlmanac, type Run } from '../setup/run-almanac.ts';
import { buildSite as buildWholeSite, type Events } from '../setup/build-site.ts';
import { clientOf, type S3 } from './s3-client.ts';
import { testTenNights } from '../site/ten-nights.ts';

const night = '2026-11-20T12:17:00Z';
const events: Events = {
  'tv/drama/severance': { 'Season 3': '2027-01-15', Finale: '2027-03-19' },
  'tv/comedy/hacks': { 'Season 5': '2027-04-01' },
};
/** One event has moved, a genre is removed and a category is added. */
const later: Events = {
  'tv/drama/severance': { 'Season 3': '2027-01-22', Finale: '2027-03-19' },
  'space/moon/moon': { Eclipse: '2027-02-20T23:00Z' },
};

/** Builds a site with few files: each of them takes a request of the service. */
const buildSite = async (content: Events, at: string): Promise<string> =>
  buildWholeSite(content, at, { service: { formats: [], pages: 'home' } });

describe.skipIf(radosgw === null)('publishing to a real S3 service', () => {
  let service: S3Service;
  let s3: S3;
  let bucket: string;
  let made = 0;
  beforeAll(async () => {
    service = await startRadosgw();
    s3 = clientOf(service);
  });
  afterAll(async () => service?.stop());
  beforeEach(async () => {
    bucket = `bucket-${++made}`;
    await s3.makeBucket(bucket);
  });

  const publish = async (dist: string, ...args: string[]): Promise<Run> =>
    runAlmanac(['publish', `s3://${bucket}/almanac`, '--out', dist, ...args], {
      cwd: tempFolder(),
      env: service.env,
    });
  const published = async (
    dist: string,
    ...args: string[]
  ): Promise<{ uploaded: string[]; deleted: string[] }> => {
    const { code, stdout, stderr } = await publish(dist, '--json', ...args);
    expect({ code, stderr, problems: code === 0 ? '' : stdout }).toEqual({
      code: 0,
      stderr: '',
      problems: '',
    });
    return JSON.parse(stdout) as { uploaded: string[]; deleted: string[] };
  };
  /** Expects the bucket to hold exactly this site, and its website to be whole. */
  const expectSite = async (dist: string): Promise<void> => {
    const keys = (await s3.keys(bucket)).filter((key) => key.startsWith('almanac/'));
    expect(keys).toEqual([...readTree(dist).keys()].map((path) => `almanac/${path}`));
    const verdict = await runAlmanac(['verify', `${service.endpoint}/${bucket}/almanac`], {
      cwd: tempFolder(),
    });
    expect(verdict).toMatchObject({ code: 0, stderr: '' });
    const manifest = await fetch(`${service.endpoint}/${bucket}/almanac/files.json`);
    expect(await manifest.text()).toBe(readFileSync(join(dist, 'files.json'), 'utf8'));
  };

  test('a dry run changes nothing; the first run uploads everything, and the next run nothing', async () => {
    const dist = await buildWholeSite(events, night);
    expect((await published(dist, '--dry-run')).uploaded).toContain('files.json');
    expect(await s3.keys(bucket)).toEqual([]);
    const { uploaded, deleted } = await published(dist);
    expect(uploaded.toSorted()).toEqual([...readTree(dist).keys()]);
    expect(deleted).toEqual([]);
    expect(uploaded.at(-1)).toBe('files.json');
    await expectSite(dist);
    const { headers } = await fetch(`${service.endpoint}/${bucket}/almanac/404.json`);
    const stored = ['content-type', 'cache-control', 'x-amz-meta-almanac-place'].map((name) =>
      headers.get(name),
    );
    expect(stored).toEqual(['application/problem+json', 'public, max-age=60', 'almanac/#404.json']);
    expect(await published(dist)).toMatchObject({ uploaded: [], deleted: [], bytes: 0 });
  });

  test('uploads changed files, deletes removed ones and keeps foreign objects', async () => {
    await published(await buildSite(events, night));
    await s3.ask('PUT', `${bucket}/almanac/api/notes.txt`, 'not ours');
    await s3.ask('PUT', `${bucket}/elsewhere.txt`, 'not ours');
    const dist = await buildSite(later, night);
    const dry = await published(dist, '--dry-run');
    const { uploaded, deleted } = await published(dist);
    expect({
      ...dry,
      uploaded: dry.uploaded.toSorted(),
      deleted: dry.deleted.toSorted(),
    }).toMatchObject({
      uploaded: uploaded.toSorted(),
      deleted: deleted.toSorted(),
    });
    expect(deleted.length).toBeGreaterThan(0);
    expect(deleted.filter((path) => !/comedy-tv|^api\/v1\/month\//.test(path))).toEqual([]);
    expect(uploaded).not.toContain('404.json');
    expect(await s3.keys(bucket)).toContain('elsewhere.txt');
    expect((await s3.ask('DELETE', `${bucket}/almanac/api/notes.txt`)).status).toBe(204);
    await expectSite(dist);
  });

  test('stops one of two first publishers; the next run of the other restores overwritten objects', async () => {
    const [one, other] = [await buildSite(events, night), await buildSite(later, night)];
    const runs = await Promise.all([publish(one), publish(other)]);
    expect(new Set(runs.map(({ code }) => code))).toEqual(new Set([0, 1]));
    const winner = runs[0].code === 0 ? one : other;
    await published(winner);
    await expectSite(winner);
  });

  test.each([
    ['an unknown bucket', 's3://none-such', {}, 'NoSuchBucket'],
    ['wrong keys', 's3://bucket-1', { AWS_SECRET_ACCESS_KEY: 'wrong' }, 'SignatureDoesNotMatch'],
  ])('reports %s in one line (bucket-refused)', async (_, target, keys, words) => {
    const args = ['publish', target, '--out', await buildSite(events, night)];
    const run = await runAlmanac(args, { cwd: tempFolder(), env: { ...service.env, ...keys } });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(new RegExp(`^.*${words}.*\n$`));
  });

  // A second service would take seconds to start.
  testTenNights(() => service);
});
