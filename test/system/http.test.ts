import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { problemLine, ProblemError } from '../../src/problem/problem.ts';
import { failureReason } from '../../src/system/failure.ts';
import {
  request,
  type HttpResponse,
  type RequestOptions,
  type Timing,
} from '../../src/system/http.ts';
import { sendForever } from '../setup/host.ts';
import { serve } from '../setup/serve-folder.ts';

/** Timing that records pauses instead of waiting, and times out when the test says so. */
function fakeTiming() {
  const pauses: number[] = [];
  const timeouts: (() => void)[] = [];
  const timing: Timing = {
    sleep: async (milliseconds) => void pauses.push(milliseconds),
    schedule: (_, call) => {
      timeouts.push(call);
      return () => {};
    },
  };
  return { timing, pauses, timeOut: () => timeouts.at(-1)?.() };
}

async function get(url: string, options: RequestOptions = {}): Promise<HttpResponse> {
  return request(async () => ({ url: `${url}/` }), { timing: fakeTiming().timing, ...options });
}

async function failureOf(url: string, options: RequestOptions = {}): Promise<string[]> {
  const error: unknown = await get(url, options).catch((thrown: unknown) => thrown);
  return error instanceof ProblemError ? error.problems.map(problemLine) : [String(error)];
}

describe('retries', () => {
  test('a response that never completes is tried twice', async () => {
    const { timing, timeOut } = fakeTiming();
    let asked = 0;
    const url = await serve((_, response) => {
      asked++;
      response.writeHead(200, { 'content-length': '7' }).flushHeaders();
      timeOut();
    });
    expect(await failureOf(url, { timeout: 200, timing })).toEqual([
      `no answer from ${url}/: no complete response within 0.2 seconds; try again later`,
    ]);
    expect(asked).toBe(2);
  });

  test.each([
    [503, [100, 200]],
    [501, []],
    [404, []],
    [403, []],
    [400, []],
    [304, []],
  ])('the status %i is returned after the pauses %j', async (status, expected) => {
    const { timing, pauses } = fakeTiming();
    const url = await serve((_, response) => void response.writeHead(status).end());
    expect(await get(url, { timing, pauses: [100, 200] })).toMatchObject({ status });
    expect(pauses).toEqual(expected);
  });

  test.each([
    ['seconds', '7', 7000],
    ['a date, compared with the date of the server', 'Fri, 20 Nov 2026 12:00:09 GMT', 9000],
    ['a date that has passed', 'Fri, 20 Nov 2026 11:00:00 GMT', 100],
    ['more than the longest pause', '86400', 20_000],
    ['nonsense', 'soon', 100],
    ['a negative number', '-1', 100],
  ])('Retry-After sets the pause: %s', async (_, wanted, pause) => {
    const { timing, pauses } = fakeTiming();
    const headers = { 'retry-after': wanted, date: 'Fri, 20 Nov 2026 12:00:00 GMT' };
    const url = await serve((_request, response) => void response.writeHead(429, headers).end());
    await get(url, { timing, pauses: [100] });
    expect(pauses).toEqual([pause]);
  });

  test('an abort ends a pending request, and its reason is reported', async () => {
    const abort = new AbortController();
    const { timing, pauses } = fakeTiming();
    const url = await serve(() => abort.abort(new Error('time is up')));
    const lines = await failureOf(url, { signal: abort.signal, timing });
    expect(lines).toEqual([`no answer from ${url}/: time is up; try again later`]);
    expect(pauses).toEqual([]);
  });
});

const text = 'BEGIN:VCALENDAR\r\n'.repeat(1000);
const bytes = gzipSync(text);

/** Answers with a body, in one piece. */
const sends =
  (body: string | Buffer, headers: Readonly<Record<string, string>>): RequestListener =>
  (_, response) =>
    void response.writeHead(200, headers).end(body);
/** Answers with the beginning of a body, and closes the connection. */
const breaksOff =
  (headers: Readonly<Record<string, string>>): RequestListener =>
  (_, response) =>
    void response.writeHead(200, headers).write('BEGIN', () => void response.destroy());
const redirects =
  (location: string): RequestListener =>
  (_, response) =>
    void response.writeHead(302, { location }).end();

const endless: RequestListener = (_, response) => sendForever(response, Buffer.alloc(65_536));
const switches: RequestListener = (_, response) =>
  void response.socket?.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  );

test.each<[what: string, asked: number, reason: string, answer: RequestListener]>([
  [
    'that switches to another protocol',
    1,
    'it switches to another protocol (status 101)',
    switches,
  ],
  ['without end', 1, 'it sends more than 1,000,000 bytes', endless],
  [
    'that is too large once it is decompressed',
    1,
    'it sends more than 1,000,000 bytes',
    sends(gzipSync(Buffer.alloc(10_000_000)), { 'content-encoding': 'gzip' }),
  ],
  [
    'whose compressed body was cut off',
    2,
    'its compressed body was cut off',
    sends(bytes.subarray(0, bytes.length / 2), { 'content-encoding': 'X-GZIP' }),
  ],
  [
    'that is not compressed as declared',
    2,
    'its body is not compressed as declared',
    sends(text, { 'content-encoding': 'gzip' }),
  ],
  [
    'in an encoding that was not requested',
    1,
    'its body has the unknown encoding zstd',
    sends(text, { 'content-encoding': 'zstd' }),
  ],
  [
    'that is compressed again',
    1,
    'its body has the unknown encoding gzip, gzip',
    sends(bytes, { 'content-encoding': 'gzip, gzip' }),
  ],
  [
    'shorter than its length',
    2,
    'connection reset by peer (ECONNRESET)',
    breaksOff({ 'content-length': '1000' }),
  ],
  [
    'without its last chunk',
    2,
    'connection reset by peer (ECONNRESET)',
    breaksOff({ 'transfer-encoding': 'chunked' }),
  ],
  [
    'that is not HTTP',
    2,
    'its response is not valid HTTP (HPE_INVALID_CONSTANT)',
    (_, response) => void response.socket?.end('GET\r\n'),
  ],
  [
    'that redirects to another protocol',
    1,
    'it redirects to an address',
    redirects('ftp://127.0.0.1/'),
  ],
  ['that redirects to a file', 1, 'it redirects to an address', redirects('file:///etc/hostname')],
  ['that redirects to no address', 1, 'it redirects to an address', redirects('http://[')],
])('an answer %s is a failure, asked for %i times', async (_, expected, reason, answer) => {
  let asked = 0;
  const url = await serve((request, response) => {
    asked++;
    answer(request, response);
  });
  const [line, ...others] = await failureOf(url, { maxBytes: 1_000_000, pauses: [100] });
  expect(line).toMatch(new RegExp(`^no answer from ${url}/: .*; try again later$`));
  expect(line).toContain(reason);
  expect([asked, others]).toEqual([expected, []]);
});

test.each(['gzip', 'X-GZIP'])('a body compressed with %s is decompressed', async (encoding) => {
  const url = await serve(sends(bytes, { 'content-encoding': encoding }));
  expect(String((await get(url)).body)).toBe(text);
});

describe('redirects', () => {
  test.each(['127.0.0.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]'])(
    'no request is sent to a refused address that a redirect leads to: %s',
    async (host) => {
      let asked = 0;
      const inner = new URL(await serve((_, response) => response.end(String(++asked))));
      // This connection stays open, and must not be used again.
      expect(String((await get(`http://127.0.0.1:${inner.port}`)).body)).toBe('1');
      const location = `http://${host}:${inner.port}/`;
      const url = await serve((_, response) => response.writeHead(302, { location }).end());
      const refuseAddress = (address: string): string | null =>
        /127\.0\.0\.1|::/.test(address) ? 'not there' : null;
      const sent = request(async () => ({ url, refuseAddress }), { timing: fakeTiming().timing });
      await expect(sent).rejects.toThrow('not there');
      expect(asked).toBe(1);
      const allowed = await request(async () => ({ url, refuseAddress: () => null }), {
        pauses: [],
      }).catch(String);
      if (!host.startsWith('[')) expect(allowed).toMatchObject({ status: 200 });
    },
  );

  test('are followed up to five times', async () => {
    const url = await serve(({ url: path = '' }, response) => {
      const left = 5 - path.length;
      if (left < 0) response.end('here');
      else response.writeHead(302, { location: `${path}x` }).end();
    });
    expect(String((await get(url)).body)).toBe('here');
    const endless = await serve(({ url: path = '' }, response) => {
      response.writeHead(302, { location: `${path}x` }).end();
    });
    expect((await failureOf(endless)).join()).toContain('more than 5 redirects');
  });

  test('are returned if the options say so', async () => {
    const url = await serve(
      (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    );
    const answer = await request(async () => ({ url: `${url}/`, redirect: 'manual' }));
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/']);
  });
});

describe('the reason for a failure', () => {
  test('is a readable sentence', () => {
    expect(failureReason(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toBe(
      'connection refused (ECONNREFUSED)',
    );
    expect(failureReason(new TypeError('no such thing'))).toBe('no such thing');
  });

  test('of a TLS error has no internals of OpenSSL', async () => {
    const url = await serve((_, response) => void response.end());
    expect((await failureOf(url.replace('http:', 'https:'), { pauses: [] })).join()).toContain(
      'it does not speak TLS, perhaps only http',
    );
    const refused = { code: 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME', reason: 'tlsv1 unrecognized name' };
    const error = Object.assign(
      new Error('80DC:error:0A000458:SSL routines::../deps/openssl:1593:\n'),
      refused,
    );
    expect(failureReason(error)).toBe('tlsv1 unrecognized name (ERR_SSL_TLSV1_UNRECOGNIZED_NAME)');
  });
});
