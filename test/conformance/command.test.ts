import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Runs `npm run conformance`. */
async function conformance(
  ...args: string[]
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      'npm',
      ['run', '--silent', 'conformance', '--', ...args],
      { cwd: root },
      (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr: stderr.replace(/^npm warn .*\n/gm, '') }),
    );
  });
}

test('explains in one line why it could not reach a site', async () => {
  const server = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const dead = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const unanswered = await conformance(dead);
  expect(unanswered).toMatchObject({ code: 1, stdout: '' });
  expect(unanswered.stderr).toMatch(/^nothing was asked: connection reset by peer \([A-Z_]+\)\n$/);
});
