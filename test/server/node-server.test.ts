import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { get as sendGet } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const data = join(import.meta.dirname, '../fixtures/client/data');

interface NodeHost {
  readonly cwd: string;
  readonly pipe: string;
  /** Requests a path. Tries again until the server listens. */
  readonly get: (path: string) => Promise<Reply>;
  /** Resolves with the exit code and everything the server wrote to stderr. */
  readonly stop: (signal: NodeJS.Signals) => Promise<{ code: number | null; stderr: string }>;
}

/**
 * Builds a site and its Node server, and starts the server on a pipe, so that `HOST` has no effect.
 */
async function start(): Promise<NodeHost> {
  const cwd = tempFolder();
  const address = ['--base-url', 'https://example.org', '--quiet'];
  expect(
    await runAlmanac(['build', '--data', data, '--now', '2026-11-20T12:17:00Z', ...address], {
      cwd,
    }),
  ).toMatchObject({ code: 0 });
  expect(await runAlmanac(['host', 'node', ...address], { cwd })).toMatchObject({ code: 0 });
  const pipe = join(cwd, 'pipe');
  const server = spawn(process.execPath, [join(cwd, 'host/node/server.mjs')], {
    env: { PORT: pipe, HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  onTestFinished(() => void server.kill());
  const get = async (path: string): Promise<Reply> => {
    while (server.exitCode === null) {
      const reply = await tryGet(pipe, path);
      if (reply !== null) return reply;
    }
    throw new Error(`the server ended: ${stderr}`);
  };
  const stop: NodeHost['stop'] = (signal) =>
    new Promise((resolve) => {
      server.on('close', (code) => resolve({ code, stderr }));
      server.kill(signal);
    });
  return { cwd, pipe, get, stop };
}

interface Reply {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends a request over a pipe. Returns null if no server listens. */
function tryGet(socketPath: string, path: string): Promise<Reply | null> {
  return new Promise((resolve) => {
    const request = sendGet({ socketPath, path }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    request.on('error', () => setImmediate(() => resolve(null)));
  });
}

test('the Node server listens on the pipe that PORT names, and responds with 500 if the site is damaged or unreadable, and logs it', async () => {
  const { cwd, get, stop } = await start();
  const { status, text } = await get('/api/v1/events?limit=1');
  expect([status, (JSON.parse(text) as { events: unknown[] }).events.length]).toEqual([200, 1]);

  writeFileSync(join(cwd, 'dist/api/v1/index.json'), '{');
  expect(await get('/api/v1/genres?category=none')).toEqual({
    status: 500,
    text: 'The site is damaged or unreadable; the log of the server has the reason.\n',
  });
  expect((await get('/api/v1/events')).status).toBe(200);
  // Reading this file fails with EIO.
  const file = join(cwd, 'dist/api/v1/category/space/events.json');
  rmSync(file);
  symlinkSync('/proc/self/mem', file);
  expect(await get('/api/v1/events?category=space')).toMatchObject({ status: 500 });
  expect((await stop('SIGTERM')).stderr).toMatch(
    /^could not respond to [^]*SyntaxError[^]*\ncould not respond to "\/api\/v1\/events\?category=space": Error: EIO/,
  );
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: the server finishes the current request and exits',
  async (signal) => {
    const { pipe, get, stop } = await start();
    await get('/api/v1/events');
    const socket = connect(pipe).setEncoding('utf8');
    onTestFinished(() => void socket.destroy());
    // When the first response arrives, the server has read the beginning of the second request.
    const head = (method: string): string => `${method} /api/v1/events HTTP/1.1\r\n`;
    socket.write(`${head('HEAD')}Host: host\r\n\r\n${head('GET')}`);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    const stopped = stop(signal);
    while (existsSync(pipe)) await new Promise(setImmediate);
    socket.write('Host: host\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200/);
    socket.end();
    expect(await stopped).toEqual({ code: 0, stderr: '' });
  },
);
