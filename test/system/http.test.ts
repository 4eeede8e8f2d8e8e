import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { problemLine, ProblemError } from '../../src/problem/problem.ts';
import { failureReason } from '../../src/system/failure.ts';
import { request, type HttpResponse, type RequestOptions, type Timing } from '../../src/system/http.ts';
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

  test('an overloaded server is retried after growing pauses, and its last response is returned', async () => {
    const { timing, pauses } = fakeTiming();
    const url = await serve((_, response) => void response.writeHead(503).end());
    expect(await get(url, { timing, pauses: [100, 200] })).toMatchObject({ status: 503 });
    expect(pauses).toEqual([100, 200]);
  });

  test('a server that does not support the method is not asked again', async () => {
    const { timing, pauses } = fakeTiming();
    const url = await serve((_, response) => void response.writeHead(501).end());
    expect(await get(url, { timing, pauses: [100] })).toMatchObject({ status: 501 });
    expect(pauses).toEqual([]);
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

  test.each([404, 403, 400, 304])('the status %i is returned without a retry', async (status) => {
    const { timing, pauses } = fakeTiming();
    const url = await serve((_, response) => void response.writeHead(status).end());
    expect(await get(url, { timing })).toMatchObject({ status });
    expect(pauses).toEqual([]);
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

test('an answer that switches to another protocol is a failure, and not requested again', async () => {
  let asked = 0;
  const url = await serve((_, response) => {
    asked++;
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
  });
  expect(await failureOf(url)).toEqual([
    `no answer from ${url}/: it switches to another protocol (status 101); try again later`,
  ]);
  expect(asked).toBe(1);
});

describe('bodies', () => {
  test('an endless response is read up to the limit and not requested again', async () => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked++;
      sendForever(response, Buffer.alloc(65_536));
    });
    expect(await failureOf(url, { maxBytes: 1_000_000 })).toEqual([
      `no answer from ${url}/: it sends more than 1,000,000 bytes; try again later`,
    ]);
    expect(asked).toBe(1);
  });

  const text = 'BEGIN:VCALENDAR\r\n'.repeat(1000);
  const compressed = { gzip: gzipSync(text), 'X-GZIP': gzipSync(text) };

  test.each(Object.entries(compressed))('a body compressed with %s is decompressed', async (encoding, bytes) => {
    const url = await serve((_, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(bytes));
    expect(String((await get(url)).body)).toBe(text);
  });

  test.each(Object.entries(compressed))(
    'a body compressed with %s that was cut off is a failure',
    async (encoding, bytes) => {
      const half = bytes.subarray(0, bytes.length / 2);
      const url = await serve(
        (_, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(half),
      );
      expect(await failureOf(url, { pauses: [] })).toEqual([
        `no answer from ${url}/: its compressed body was cut off; try again later`,
      ]);
    },
  );

  test('the limit applies to the decompressed body', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const url = await serve((_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(await failureOf(url, { maxBytes: 1_000_000 })).toEqual([
      `no answer from ${url}/: it sends more than 1,000,000 bytes; try again later`,
    ]);
  });

  test.each<[string, string, RegExp]>([
    ['is not compressed as declared', 'gzip', /its body is not compressed as declared/],
    ['has an encoding that was not requested', 'zstd', /its body has the unknown encoding zstd/],
    ['is compressed again', 'gzip, gzip', /its body has the unknown encoding gzip, gzip/],
  ])('a body that %s is a failure', async (_, encoding, expected) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end('not compressed');
    });
    expect((await failureOf(url, { pauses: [] })).join()).toMatch(expected);
  });

  test.each([
    ['shorter than its length', { 'content-length': '1000' }],
    ['without its last chunk', { 'transfer-encoding': 'chunked' }],
  ])('a body %s is a failure', async (_, headers) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, headers).write('BEGIN', () => void response.destroy());
    });
    expect((await failureOf(url, { pauses: [] })).join()).toContain('connection reset by peer (ECONNRESET)');
  });
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
      const refuseAddress = (address: string): string | null => (/127\.0\.0\.1|::/.test(address) ? 'not there' : null);
      const sent = request(async () => ({ url, refuseAddress }), { timing: fakeTiming().timing });
      await expect(sent).rejects.toThrow('not there');
      expect(asked).toBe(1);
      const allowed = await request(async () => ({ url, refuseAddress: () => null }), { pauses: [] }).catch(String);
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
    const url = await serve((_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end());
    const answer = await request(async () => ({ url: `${url}/`, redirect: 'manual' }));
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/']);
  });

  test.each(['ftp://127.0.0.1/', 'file:///etc/hostname', 'http://['])('are not followed to %s', async (location) => {
    const url = await serve((_, response) => void response.writeHead(302, { location }).end());
    const { timing, pauses } = fakeTiming();
    expect((await failureOf(url, { timing })).join()).toContain('it redirects to an address');
    expect(pauses).toEqual([]);
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
    const error = Object.assign(new Error('80DC:error:0A000458:SSL routines::../deps/openssl:1593:\n'), refused);
    expect(failureReason(error)).toBe('tlsv1 unrecognized name (ERR_SSL_TLSV1_UNRECOGNIZED_NAME)');
  });

  test('of an invalid HTTP response includes the code of the parser', async () => {
    const url = await serve((_, response) => void response.socket?.end('GET\r\n'));
    expect((await failureOf(url, { pauses: [] })).join()).toContain(
      'its response is not valid HTTP (HPE_INVALID_CONSTANT)',
    );
  });
});
