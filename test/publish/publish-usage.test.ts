import { expect, onTestFinished, test } from 'vitest';
import { buildSite } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { listen } from '../setup/host.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };

test.each<[string[], Record<string, string>, number, string, string]>([
  [['my-bucket'], keys, 2, 'bad-target', 's3://bucket/prefix'],
  [['s3://bucket/a//b'], keys, 2, 'bad-target', 's3://bucket/prefix'],
  [['s3://b'], keys, 2, 'bad-target', '3 to 63'],
  [['s3://bucket/../other'], keys, 2, 'bad-target', 'without . or ..'],
  [['s3://bucket', '--endpoint', 'localhost'], keys, 2, 'bad-endpoint', 'endpoint'],
  [['s3://bucket', '--endpoint', 'http://127.0.0.1/?a=1'], keys, 2, 'bad-endpoint', 'endpoint'],
  [['s3://bucket', '--endpoint', 'http://['], keys, 2, 'bad-endpoint', 'endpoint'],
  [['s3://bucket', '--endpoint', 'http://me:secret@127.0.0.1'], keys, 2, 'bad-endpoint', 'a user name'],
  [['s3://bucket'], { ...keys, AWS_REGION: 'eu central' }, 1, 'bad-variable', 'AWS_REGION'],
  [['s3://bucket'], { ...keys, AWS_DEFAULT_REGION: 'a/b' }, 1, 'bad-variable', 'AWS_DEFAULT_REGION'],
  [['s3://bucket'], { ...keys, AWS_ACCESS_KEY_ID: '“secret”' }, 1, 'bad-variable', 'AWS_ACCESS_KEY_ID'],
  [['s3://bucket'], { ...keys, AWS_SECRET_ACCESS_KEY: 'secret\n' }, 1, 'bad-variable', 'AWS_SECRET_ACCESS_KEY'],
  [['s3://bucket'], { ...keys, AWS_SESSION_TOKEN: 'sec\nret' }, 1, 'bad-variable', 'AWS_SESSION_TOKEN'],
  [['s3://bucket'], {}, 1, 'credentials-missing', 'AWS_ACCESS_KEY_ID'],
  [['s3://bucket'], keys, 1, 'site-missing', 'found no site'],
  [[], keys, 2, 'usage', 'found no TARGET'],
])('publish %s', async (args, env, code, problem, words) => {
  const run = await runAlmanac(['publish', ...args], { cwd: tempFolder(), env });
  expect(run).toMatchObject({ code, stdout: '' });
  expect(run.stderr).toContain(words);
  expect(run.stderr).not.toMatch(/sec\W*ret/);
  const { stdout } = await runAlmanac(['publish', ...args, '--json'], { cwd: tempFolder(), env });
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, problems: [{ code: problem }] });
});

test('reports an endpoint that does not answer in one line', async () => {
  const dist = await buildSite({}, '2026-11-20T12:17:00Z');
  const args = ['publish', 's3://bucket', '--out', dist, '--endpoint', 'http://127.0.0.1:1'];
  const run = await runAlmanac(args, { cwd: tempFolder(), env: keys });
  expect(run).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^no answer from http:\/\/127\.0\.0\.1:1.*\n$/),
  });
});

test.each(['null', '[]'])('refuses a manifest whose files are %s', async (files) => {
  const cwd = writeTree(tempFolder(), { 'dist/files.json': `{"generator":"almanac/1.0.0","files":${files}}` });
  const run = await runAlmanac(['publish', 's3://bucket'], { cwd, env: keys });
  expect(run).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('it is not a document of version 1'),
  });
});

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
