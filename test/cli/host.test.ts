import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkSize, hostNames, hosts } from '../../src/hosts/table.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

describe('almanac host', () => {
  test('--help lists the names of all hosts', async () => {
    const { stdout } = await runAlmanac(['host', '--help'], { cwd: tempFolder() });
    expect(hostNames.filter((name) => !new RegExp(`[ (]${name}[,)\\s]`).test(stdout))).toEqual([]);
  });

  test.each(['host', 'host/nginx', 'host/nginx/almanac.conf'])(
    'does not write through a link at %s',
    async (path) => {
      const cwd = writeTree(tempFolder(), {
        ...sample,
        'outside/almanac.conf': 'mine',
        'outside/nginx/almanac.conf': 'mine',
      });
      mkdirSync(join(cwd, path, '..'), { recursive: true });
      symlinkSync(
        join(cwd, path.endsWith('.conf') ? 'outside/almanac.conf' : 'outside'),
        join(cwd, path),
      );
      const run = await runAlmanac(['host', 'nginx'], { cwd });
      if (path.endsWith('.conf')) expect(run).toMatchObject({ code: 0 });
      else
        expect(run).toMatchObject({
          code: 1,
          stderr: expect.stringContaining(`${path} is a symbolic link`),
        });
      for (const bytes of readTree(join(cwd, 'outside')).values())
        expect(String(bytes)).toBe('mine');
    },
  );

  test.each([
    ['https://events.example', 'server_name events.example;', 'events.example {'],
    ['https://events.example/a', 'server_name events.example;', 'events.example {'],
    ['http://127.0.0.1:8081/a', 'server_name 127.0.0.1;', 'http://127.0.0.1:8081 {'],
    ['https://events.example:8443', 'server_name events.example;', 'https://events.example:8443 {'],
  ])(
    'reads the base URL %s from the site and configures its host name',
    async (baseUrl, serverName, address) => {
      const cwd = writeTree(tempFolder(), sample);
      expect(
        await runAlmanac(['build', '--now', now, '--base-url', baseUrl], { cwd }),
      ).toMatchObject({ code: 0 });
      rmSync(join(cwd, 'data'), { recursive: true });
      for (const name of ['nginx', 'caddy', 'cloudflare']) {
        expect(await runAlmanac(['host', name], { cwd })).toMatchObject({ code: 0 });
      }
      const read = (file: string): string => readFileSync(join(cwd, 'host', file), 'utf8');
      expect(read('nginx/almanac.conf')).toContain(serverName);
      expect(read('nginx/almanac.conf').includes('listen 8081;')).toBe(baseUrl.includes(':8081'));
      expect(read('caddy/Caddyfile').split('\n', 1)).toEqual([address]);
      expect(read('cloudflare/wrangler.jsonc')).toContain('"name": "sample"');
      expect(readdirSync(join(cwd, 'host/nginx')).length).toBe(baseUrl.endsWith('/a') ? 3 : 1);
      await runAlmanac(['host', 'nginx', '--base-url', 'https://given.example', '--force'], {
        cwd: writeTree(cwd, sample),
      });
      expect(read('nginx/almanac.conf')).toContain('server_name given.example;');
    },
  );

  test.each([
    ['https://e.example', 'dist', 'dist'],
    ['https://e.example/a/caf%C3%A9', 'public/a/café', 'public'],
    ['https://e.example/a', 'a', '.'],
    ['https://e.example/a', 'dist-a', 'dist-a'],
  ])('vercel at %s: serves the folder that contains %s', async (baseUrl, out, outputDirectory) => {
    const cwd = writeTree(tempFolder(), sample);
    const args = ['--base-url', baseUrl, '--out', out, '--to', '.'];
    const { code } = await runAlmanac(['host', 'vercel', ...args], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, 'vercel.json'), 'utf8'))).toMatchObject({
      outputDirectory,
    });
  });

  test('gitlab-pages: the CI file is YAML, and its commands take the options that it gives', async () => {
    const [name, file] = ['gitlab-pages', '.gitlab-ci.yml'];
    const cwd = writeTree(tempFolder(), sample);
    expect(await runAlmanac(['host', name, '--to', '.'], { cwd })).toMatchObject({ code: 0 });
    const lines = scalarsOf(parse(readFileSync(join(cwd, file), 'utf8')));
    const commands = lines.flatMap((line) => Array.from(line.matchAll(/almanac -- (\w+)(.*)/g)));
    expect(commands.map(([, command]) => command)).toEqual(['build', 'verify']);
    for (const [, command = '', rest = ''] of commands) {
      const { stdout } = await runAlmanac([command, '--help'], { cwd });
      for (const [option] of rest.matchAll(/--[a-z-]+/g)) expect(stdout).toContain(`  ${option} `);
    }
  });
});

describe('the limits of a host', () => {
  const size = { files: 1, bytes: 1, largest: 1 };

  test.each(hosts.filter(({ limits }) => limits !== undefined))(
    '$name: accepts a site at its limits and refuses a larger one',
    (host) => {
      const { limits } = host;
      const most = {
        files: limits?.files ?? 1e9,
        bytes: limits?.bytes ?? 1e12,
        largest: limits?.fileBytes ?? 1e12,
      };
      expect(checkSize(host, most)).toEqual([]);
      for (const [of, limit] of [
        ['files', limits?.files],
        ['bytes', limits?.bytes],
        ['largest', limits?.fileBytes],
      ] as const) {
        const problems = checkSize(host, { ...size, [of]: most[of] + 1 });
        expect(problems.map(({ code }) => code)).toEqual(
          limit === undefined ? [] : ['site-too-large'],
        );
      }
      expect(limits?.source).toMatch(/^https:/);
    },
  );

  test('build --for fails if a site is too large for its host, and keeps the previous one', async () => {
    const cwd = writeTree(tempFolder(), { ...sample, 'public/film.mp4': '' });
    truncateSync(join(cwd, 'public/film.mp4'), 25 * 1024 ** 2 + 1);
    const build = (...args: string[]) => runAlmanac(['build', '--now', now, ...args], { cwd });
    expect(await build('--for', 'vercel')).toMatchObject({ code: 0, stderr: '' });
    const before = readTree(cwd);
    const refused = await build(
      '--for',
      'cloudflare',
      '--json',
      '--base-url',
      'https://other.example',
    );
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      ok: false,
      problems: [{ code: 'site-too-large' }],
    });
    expect((await build('--for', 'versel')).code).toBe(2);
    expect(readTree(cwd)).toEqual(before);
  });
});

/** The texts in a value of YAML. */
function scalarsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalarsOf) : [];
}
