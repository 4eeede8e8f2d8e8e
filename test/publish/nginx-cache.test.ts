import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findNginx, untilItAnswers } from '../conformance/start-hosts.ts';
import { buildSite } from '../setup/build-site.ts';
import { engine } from '../setup/engines.ts';
import { tempFolder } from '../setup/folders.ts';
import { freePort } from '../setup/processes.ts';
import { radosgw, startRadosgw, type S3Service } from '../setup/radosgw.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { serve } from '../setup/serve-folder.ts';
import { clientOf } from './s3-client.ts';
import { expectEachChangeOnce, minute, publishOften, type CachedHost } from './pushes.ts';

const nginx = engine('nginx', findNginx, 'apt-get install nginx-light');

/** How nginx caches, as lines of its configuration. */
const byHeaders = 'proxy_cache_key $request_uri;';
/** What GitHub Pages does for every file. */
const tenMinutes = `${byHeaders} proxy_ignore_headers Cache-Control; proxy_cache_valid 200 10m;`;
const withoutQueries = tenMinutes.replace('$request_uri', '$uri');

/*
 * The real publish, S3 service and cache. nginx takes the time from the system, so the test lets
 * time pass for its copies: the file of each begins with a version and the second until which it is
 * valid, of 64 bits each.
 */
const validUntil = 8;

function ageCopies(folder: string, milliseconds: number): void {
  for (const file of readdirSync(folder)) {
    const path = join(folder, file);
    const bytes = readFileSync(path);
    const until = bytes.readBigInt64LE(validUntil);
    bytes.writeBigInt64LE(until - BigInt(Math.round(milliseconds / 1000)), validUntil);
    writeFileSync(path, bytes);
  }
}

describe.skipIf(radosgw === null || nginx === null)('behind a cache of nginx', () => {
  let service: S3Service;
  let buckets = 0;
  beforeAll(async () => {
    service = await startRadosgw();
  });
  afterAll(async () => service?.stop());

  /** Starts nginx as a cache in front of a new bucket, until the test ends. */
  async function startHost(caching: string): Promise<CachedHost> {
    const bucket = `pushes-${++buckets}`;
    await clientOf(service).makeBucket(bucket);
    const to = tempFolder();
    const folder = join(to, 'cache');
    mkdirSync(folder);
    const port = await freePort();
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${to}/${name};`)
      .join(' ');
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    writeFileSync(
      join(to, 'nginx.conf'),
      `${user} daemon off; pid ${to}/pid; error_log ${to}/error.log; events {}
http { access_log off; ${temporary}
  proxy_cache_path ${folder} keys_zone=copies:1m inactive=1d use_temp_path=off;
  server { listen 127.0.0.1:${port};
    location = /api/v1/genres.json { return 204; }
    location / { proxy_pass ${service.endpoint}; proxy_cache copies; ${caching}
      add_header Cache-State $upstream_cache_status always; } } }\n`,
    );
    const args = ['-p', to, '-e', join(to, 'error.log'), '-c', join(to, 'nginx.conf')];
    const child = spawn(nginx ?? '', args);
    const { address, close } = await untilItAnswers(child, port, 'http://127.0.0.1');
    onTestFinished(close);
    let visitAtUpload = async (): Promise<void> => {};
    const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      const { method = '', url = '', headers } = incoming;
      incoming.pipe(
        request(service.endpoint + url, { method, headers }, (answer) => {
          answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers));
        }),
      );
    };
    const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
      if (incoming.method === 'PUT') await visitAtUpload();
      forward(incoming, outgoing);
    };
    return {
      target: `s3://${bucket}`,
      endpoint: await serve((incoming, outgoing) => void handle(incoming, outgoing)),
      env: service.env,
      site: `${address}/${bucket}`,
      pass: (milliseconds) => ageCopies(folder, milliseconds),
      atUpload: (visit) => (visitAtUpload = visit),
    };
  }

  test('the copies of nginx age as the test says', async () => {
    const { site, target, endpoint, env, pass } = await startHost(byHeaders);
    const dist = await buildSite({ 'tv/d/s': { Premiere: '2028-01-15' } }, '2026-11-21T12:00:00Z');
    const args = ['publish', target, '--endpoint', endpoint, '--out', dist];
    expect(await runAlmanac(args, { cwd: tempFolder(), env })).toMatchObject({ code: 0 });
    const stateOf = async (path: string): Promise<string | null> => {
      const answer = await fetch(`${site}/${path}`);
      await answer.arrayBuffer();
      return answer.headers.get('cache-state');
    };
    const list = 'api/v1/events.json';
    expect([await stateOf(list), await stateOf(list)]).toEqual(['MISS', 'HIT']);
    pass(4 * minute);
    expect(await stateOf(list)).toBe('HIT');
    pass(2 * minute);
    expect(await stateOf(list)).toBe('EXPIRED');
    for (const path of ['files.json', 'api/v1/changes.json', 'api/v1/changes.json'])
      expect(await stateOf(path)).toBe('MISS');
  });

  test.each([
    ['obeys the headers', byHeaders, 4],
    ['keeps every file for ten minutes', tenMinutes, 5],
  ])('20 pushes through a cache that %s tell each change once', async (_, caching, seed) => {
    expectEachChangeOnce(await publishOften(await startHost(caching), seed));
  });

  test('a cache that ignores queries ends no build, and the log keeps its beginning', async () => {
    const { pushes, log } = await publishOften(await startHost(withoutQueries), 6);
    expect(log.since).toBe(pushes[0]?.at);
  });
});
