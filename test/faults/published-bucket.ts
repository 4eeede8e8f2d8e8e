import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { clientOf } from '../publish/s3-client.ts';
import { startFaultProxy } from '../setup/fault-proxy.ts';
import { readTree } from '../setup/folders.ts';
import { startRadosgw } from '../setup/radosgw.ts';
import { almanac, spawnAlmanac, type Run } from '../setup/run-almanac.ts';
import { success, type Letter, type Sites } from './sites.ts';

/** The moment when a publisher is killed: after a fraction of its time, at a request, or at a response. */
export interface PublishKill {
  readonly target: Letter;
  readonly how: string;
  readonly at: { readonly at: number };
}

export interface PublishedBucket {
  readonly publish: (letter: Letter) => Promise<void>;
  readonly kill: (drawn: PublishKill) => Promise<Pick<Run, 'signal' | 'stderr'>>;
  /** Expects the index and every list that it links to to exist. */
  readonly expectAnswers: () => Promise<void>;
  /** Expects the bucket to hold exactly this site and `almanac verify` to accept it. */
  readonly expectSite: (letter: Letter) => Promise<void>;
}

/** Opens a bucket on a real S3 service for the two sites, behind a proxy that can kill the publisher. */
export async function openBucket({ cwd }: Sites): Promise<PublishedBucket> {
  const service = await startRadosgw();
  onTestFinished(service.stop);
  const s3 = clientOf(service);
  await s3.makeBucket('kills');
  const proxy = await startFaultProxy(service.endpoint, '/kills/');
  onTestFinished(proxy.stop);
  const options = ['--endpoint', proxy.url, '--quiet'];
  const args = (letter: Letter): string[] => ['publish', 's3://kills', '--out', `model-${letter}`, ...options];
  const url = `${service.endpoint}/kills`;
  const took = { milliseconds: 0, requests: 0 };
  const publish = async (letter: Letter): Promise<void> => {
    const [began, before] = [performance.now(), proxy.seen.length];
    const run = await spawnAlmanac(args(letter), { cwd, env: service.env });
    expect(run).toEqual(success);
    // The first publication sends everything and takes longest.
    took.milliseconds ||= performance.now() - began;
    took.requests ||= proxy.seen.length - before;
  };
  const kill = async ({ target, how, at: { at } }: PublishKill): Promise<Pick<Run, 'signal' | 'stderr'>> => {
    if (how === 'delay') {
      return spawnAlmanac(args(target), { cwd, env: service.env, killAfter: 1 + Math.ceil(at * took.milliseconds) });
    }
    const env = { PATH: process.env['PATH'], ...service.env };
    const child = spawn(process.execPath, [almanac, ...args(target)], { cwd, env, stdio: 'ignore' });
    const last = proxy.seen.length + 1 + Math.floor(at * took.requests);
    proxy.decide = () => {
      if (proxy.seen.length < last) return 'pass';
      child.kill('SIGKILL');
      return how === 'request' ? 'cut' : 'cut-answer';
    };
    await new Promise((resolve) => child.once('exit', resolve));
    proxy.decide = () => 'pass';
    return { signal: child.signalCode, stderr: '' };
  };
  return {
    publish,
    kill,
    expectAnswers: async () => expectAnswers(url),
    expectSite: async (letter) => {
      const model = join(cwd, `model-${letter}`);
      expect(await s3.keys('kills')).toEqual([...readTree(model).keys()]);
      expect(await spawnAlmanac(['verify', url], { cwd })).toMatchObject({ code: 0, stderr: '' });
      const manifest = await fetch(`${url}/files.json`);
      expect(await manifest.text()).toBe(readFileSync(join(model, 'files.json'), 'utf8'));
    },
  };
}

async function expectAnswers(url: string): Promise<void> {
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url}/api/v1/${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json();
  };
  await get('index.json');
  const { genres } = (await get('genres.json')) as { genres: { id: string; category: string }[] };
  for (const { id, category } of genres) {
    for (const path of [`genre/${id}`, `category/${category}/genre/${id}`]) await get(`${path}/events.json`);
  }
}
