import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { dataOf, type Events } from '../setup/build-site.ts';
import { afterFile, lastingFolder, tempFolder, writeTree } from '../setup/folders.ts';
import { listen } from '../setup/host.ts';
import type { S3Service } from '../setup/radosgw.ts';
import { almanac, runAlmanac, type Run } from '../setup/run-almanac.ts';
import { clientOf } from '../publish/s3-client.ts';

const daily = Object.fromEntries(
  Array.from({ length: 12 }, (_, day) => [
    `Day ${day + 1}`,
    new Date(Date.UTC(2026, 10, 21 + day)).toISOString().slice(0, 10),
  ]),
);
const full: Events = {
  'tv/drama/severance': { 'Season 3': '2027-01-15', Finale: '2027-03-19' },
  'tv/daily/show': { ...daily, Gala: '2027-05-01' },
  'space/moon/moon': { Eclipse: '2027-02-20T23:00Z' },
};
const moved: Events = {
  ...full,
  'tv/drama/severance': { 'Season 3': '2027-01-22', Finale: '2027-03-19' },
};
const shrunk: Events = { 'tv/drama/severance': {} };
const grown: Events = { ...moved, 'space/comets/halley': { Return: '2061-07-28' } };

/**
 * Ten nights of the workflow's steps on a simulated clock: build against the live site, verify,
 * publish. Requests to the bucket go through a proxy that can fail.
 */
export function testTenNights(startedService: () => S3Service): void {
  const target = 's3://nights/almanac';
  const cwd = lastingFolder();
  let service: S3Service;
  let proxy: string;
  /**
   * What the proxy does with a request: it forwards it, closes the connection, or answers with
   * status 503.
   */
  let decide: (method: string, path: string) => 'pass' | 'cut' | 'refuse' = () => 'pass';
  beforeAll(async () => {
    service = startedService();
    await clientOf(service).makeBucket('nights');
    const { url, close } = await listen(handle);
    afterFile(close);
    proxy = url;
  });

  function handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = '', url = '', headers } = incoming;
    const fate = decide(method, url);
    if (fate === 'cut') incoming.destroy();
    else if (fate === 'refuse')
      incoming.resume().once('end', () => outgoing.writeHead(503, { 'retry-after': '0' }).end());
    else
      incoming.pipe(
        request(service.endpoint + url, { method, headers }, (answer) => {
          answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers));
        }).on('error', () => outgoing.destroy()),
      );
  }

  const live = (): string => `${service.endpoint}/nights/almanac`;
  const build = async (night: number, events: Events): Promise<Run> => {
    const data = writeTree(tempFolder(), dataOf(events, { pages: 'home' }));
    const now = new Date(Date.UTC(2026, 10, 20 + night, 12, 17)).toISOString();
    const previous = night === 0 ? 'none' : live();
    return runAlmanac(['build', '--data', data, '--now', now, '--against', previous, '--quiet'], {
      cwd,
    });
  };
  const publish = async (): Promise<Run> =>
    runAlmanac(['publish', target, '--endpoint', proxy, '--json'], { cwd, env: service.env });
  const uploadedBy = async (): Promise<string[]> => {
    const { code, stdout } = await publish();
    expect({ code, stdout }).toMatchObject({ code: 0 });
    return (JSON.parse(stdout) as { uploaded: string[] }).uploaded;
  };
  /** Expects that the live site is whole and that it is the one synchronised on this night. */
  const expectLive = async (night: number): Promise<void> => {
    expect(await runAlmanac(['verify', live()], { cwd })).toMatchObject({ code: 0, stderr: '' });
    const { catalogue } = (await (await fetch(`${live()}/api/v1/index.json`)).json()) as {
      catalogue: { last_sync: string };
    };
    expect(catalogue.last_sync).toBe(
      new Date(Date.UTC(2026, 10, 20 + night, 12, 17)).toISOString(),
    );
  };
  const upcoming = async (): Promise<number> =>
    ((await (await fetch(`${live()}/api/v1/events.json`)).json()) as { total: number }).total;

  test('ten nights leave the right live site after each night', async () => {
    expect(await build(0, full), 'the first night').toMatchObject({ code: 0, stderr: '' });
    await uploadedBy();
    await expectLive(0);
    expect(await upcoming()).toBe(16);

    expect(await build(1, full), 'a night in which nothing changed').toMatchObject({ code: 0 });
    expect(await uploadedBy()).toEqual(['api/v1/index.json', 'files.json']);
    await expectLive(1);

    expect(await build(2, full), 'an event expired').toMatchObject({ code: 0 });
    await uploadedBy();
    await expectLive(2);
    expect(await upcoming()).toBe(15);

    expect(await build(3, moved), 'an event moved').toMatchObject({ code: 0 });
    await uploadedBy();
    await expectLive(3);

    const refused = await build(4, shrunk);
    expect(refused, 'a source shrank').toMatchObject({
      code: 1,
      stderr: expect.stringContaining('refused'),
    });
    await expectLive(3);

    expect(await build(5, moved), 'the source is back').toMatchObject({ code: 0 });
    await uploadedBy();
    await expectLive(5);

    expect(await build(6, grown), 'a night in which the publisher is killed').toMatchObject({
      code: 0,
    });
    await killAfter(5);
    expect((await fetch(`${live()}/api/v1/index.json`)).status).toBe(200);
    expect(await build(7, grown), 'the next publisher finishes its work').toMatchObject({
      code: 0,
    });
    await uploadedBy();
    await expectLive(7);

    expect(await build(8, grown), 'the bucket accepts nothing').toMatchObject({ code: 0 });
    decide = (method) => (method === 'PUT' ? 'refuse' : 'pass');
    expect(await publish()).toMatchObject({ code: 1, stdout: expect.stringContaining('503') });
    decide = () => 'pass';
    await expectLive(7);

    expect(await build(9, grown), 'the bucket accepts everything on the second try').toMatchObject({
      code: 0,
    });
    const tried = new Set<string>();
    decide = (_, path) => (tried.has(path) ? 'pass' : (tried.add(path), 'refuse'));
    await uploadedBy();
    decide = () => 'pass';
    await expectLive(9);

    expect(await build(40, grown), 'weeks without a run').toMatchObject({ code: 0 });
    await uploadedBy();
    await expectLive(40);
    expect(await upcoming()).toBe(5);
    const manifest = await (await fetch(`${live()}/files.json`)).text();
    expect(manifest).toBe(readFileSync(join(cwd, 'dist/files.json'), 'utf8'));
  });

  async function killAfter(uploads: number): Promise<void> {
    const args = [almanac, 'publish', target, '--endpoint', proxy];
    const env = { PATH: process.env['PATH'], ...service.env };
    const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore' });
    let uploaded = 0;
    decide = (method) => {
      if (method !== 'PUT' || ++uploaded <= uploads) return 'pass';
      child.kill('SIGKILL');
      return 'cut';
    };
    await new Promise((resolve) => child.once('exit', resolve));
    expect(child.signalCode).toBe('SIGKILL');
    decide = () => 'pass';
  }
}
