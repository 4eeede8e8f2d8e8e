import { expect, onTestFinished, test } from 'vitest';
import type { RequestListener } from 'node:http';
import { problemLine, ProblemError } from '../../src/problem/problem.ts';
import { noAnswerReason, request } from '../../src/system/http.ts';
import { listen } from '../setup/host.ts';

test('a server whose answer never becomes whole is waited for twice, and no more', async () => {
  let asked = 0;
  const url = await serve((_, response) => {
    asked++;
    response.writeHead(200, { 'content-length': '7' }).flushHeaders();
  });
  expect(await failureOf(url, 200)).toEqual([
    `no answer from ${url}/: no whole answer within 0.2 seconds; try again later`,
  ]);
  expect(asked).toBe(2);
});

test('an answer without an end is read no further than there is room for, and not asked for again', async () => {
  let asked = 0;
  const url = await serve((_, response) => {
    asked++;
    const pour = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', pour);
    pour();
  });
  expect(await failureOf(url, 10_000, 1_000_000)).toEqual([
    `no answer from ${url}/: it sends more than 1,000,000 bytes; try again later`,
  ]);
  expect(asked).toBe(1);
});

test('why there is no answer is said in words, to whoever asks', () => {
  const failed = (code: string): Error =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });
  expect(noAnswerReason(failed('ECONNREFUSED'))).toBe('nothing listens there (ECONNREFUSED)');
  expect(noAnswerReason(failed('UND_ERR_SOCKET'))).toBe('the connection was cut off');
  expect(noAnswerReason(failed('Z_DATA_ERROR'))).toBe('its body is not compressed as declared');
  expect(noAnswerReason(new TypeError('fetch failed'))).toBe('fetch failed');
});

test('why a host has no TLS is said without the words of OpenSSL', async () => {
  const url = await serve((_, response) => void response.end());
  const error: unknown = await fetch(url.replace('http:', 'https:')).catch((thrown: unknown) => thrown);
  expect(noAnswerReason(error)).toBe('it does not speak TLS, perhaps only http');
  const refused = { code: 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME', reason: 'tlsv1 unrecognized name' };
  const cause = Object.assign(new Error('80DC:error:0A000458:SSL routines::../deps/openssl:1593:\n'), refused);
  expect(noAnswerReason(new TypeError('fetch failed', { cause }))).toBe(
    'tlsv1 unrecognized name (ERR_SSL_TLSV1_UNRECOGNIZED_NAME)',
  );
});

async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await listen(listener);
  onTestFinished(close);
  return url;
}

async function failureOf(url: string, patience: number, mostBytes = 1000): Promise<string[]> {
  const bounds = { patience, mostBytes };
  const error: unknown = await request(async () => ({ url: `${url}/` }), bounds).catch((thrown: unknown) => thrown);
  return error instanceof ProblemError ? error.problems.map(problemLine) : [String(error)];
}
