import { expect, onTestFinished, test } from 'vitest';
import type { RequestListener } from 'node:http';
import { problemLine, ProblemError } from '../src/problem.ts';
import { request } from '../src/request.ts';
import { listen } from './setup/host.ts';

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

async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await listen(listener);
  onTestFinished(close);
  return url;
}

async function failureOf(url: string, patience: number): Promise<string[]> {
  const error: unknown = await request(async () => ({ url: `${url}/` }), patience).catch((thrown: unknown) => thrown);
  return error instanceof ProblemError ? error.problems.map(problemLine) : [String(error)];
}
