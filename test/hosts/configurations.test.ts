import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { engine, onPath } from '../setup/engines.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { allowed, filesFor } from './base-urls.ts';

describe.each(allowed)('the configuration for %s is valid for', (baseUrl) => {
  test('nginx', async ({ skip }) => {
    const nginx =
      engine('nginx', () => onPath('nginx') ?? '/usr/sbin/nginx', 'apt-get install nginx-light') ??
      skip();
    const folder = writeTree(tempFolder(), await filesFor('nginx', baseUrl));
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder};`,
    );
    const http = `http { access_log off; ${paths.join(' ')} include ${folder}/almanac.conf; }`;
    writeFileSync(join(folder, 'nginx.conf'), `pid ${folder}/pid; events {} ${http}\n`);
    run(
      nginx,
      ['-t', '-q', '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')],
      folder,
    );
  });

  test('Caddy', async ({ skip }) => {
    const caddy = engine('Caddy', () => onPath('caddy'), 'apt-get install caddy') ?? skip();
    const folder = writeTree(tempFolder(), await filesFor('caddy', baseUrl));
    run(
      caddy,
      ['validate', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
      folder,
    );
  });
});

/** Runs a program. Throws with its output if it fails. */
function run(program: string, args: readonly string[], HOME: string): void {
  execFileSync(program, args, { env: { PATH: process.env['PATH'], HOME }, stdio: 'pipe' });
}
