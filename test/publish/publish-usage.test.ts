import { expect, onTestFinished, test } from 'vitest';
import { buildSite } from '../setup/build-site.ts';
import { tempFolder } from '../setup/folders.ts';
import { listen } from '../setup/host.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };

test.each(['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'])(
  'a line break in %s is refused, and not printed',
  async (name) => {
    const env = { ...keys, [name]: 'sec\nret' };
    const { code, stdout } = await runAlmanac(['publish', 's3://bucket', '--json'], { cwd: tempFolder(), env });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, problems: [{ code: 'bad-variable' }] });
    expect(stdout).toContain(name);
    expect(stdout).not.toMatch(/sec\W*ret/);
  },
);

test.each([['GET'], ['PUT']])('does not follow a redirected %s: bucket-refused', async (redirected) => {
  const dist = await buildSite({}, '2026-11-20T12:17:00Z');
  const asked: string[] = [];
  const other = await listen((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end();
  });
  const empty = await listen(({ method, url }, response) => {
    if (method === redirected) response.writeHead(303, { location: `${other.url}/there` }).end();
    else if (url?.includes('list-type=2')) response.end('<ListBucketResult/>');
    else response.writeHead(404).end();
  });
  onTestFinished(async () => void (await Promise.all([other.close(), empty.close()])));
  const args = ['publish', 's3://bucket', '--out', dist, '--endpoint', empty.url];
  const { code, stdout, stderr } = await runAlmanac(args, { cwd: tempFolder(), env: keys });
  expect({ code, stdout, asked }).toEqual({ code: 1, stdout: '', asked: [] });
  expect(stderr).toContain(`refused a ${redirected}: 303 (a redirect to ${other.url}/there, which is not followed)`);
});
