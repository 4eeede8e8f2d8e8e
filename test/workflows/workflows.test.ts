import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startFakeS3 } from '../publish/fake-s3.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { lastingFolder, readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { serveFolder } from '../setup/serve-folder.ts';
import { canRunSteps, failuresOf, runStep, runSteps, type Done } from '../setup/steps.ts';
import { readWorkflow, scriptOf } from '../setup/workflows.ts';

const root = resolve(import.meta.dirname, '../..');

describe.skipIf(!canRunSteps)('steps', () => {
  let clone: string;
  let start: string;
  beforeAll(() => {
    clone = lastingFolder();
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
    // `npm cit` has installed the packages just before.
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
    // Its own data, because those of the repository change.
    rmSync(join(clone, 'data'), { recursive: true });
    cpSync(join(root, 'test/fixtures/client/data'), join(clone, 'data'), { recursive: true });
    cpSync(join(root, 'data/.schemas'), join(clone, 'data/.schemas'), { recursive: true });
    start = commit();
  });

  afterEach(restore);

  /** Commits all files of the clone. Returns the commit. */
  function commit(): string {
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: clone, encoding: 'utf8' });
    git('add', '--all');
    git(
      '-c',
      'user.name=test',
      '-c',
      'user.email=test@example.org',
      'commit',
      '--quiet',
      '--message',
      'Change the data',
    );
    return git('rev-parse', 'HEAD').trim();
  }

  /** Undoes what was committed to the clone and changed in its data. */
  function restore(): void {
    execFileSync('git', ['reset', '--quiet', '--hard', start], { cwd: clone });
    execFileSync('git', ['clean', '--quiet', '--force', '-d', 'data'], { cwd: clone });
  }

  test('the nightly steps compile, build, guard and verify in a clean clone', async () => {
    // The guard lets a few losses pass.
    const events = Array.from({ length: 9 }, (_, day) => ({ title: `Day ${day}`, starts: `2099-01-0${day + 1}` }));
    const none = { name: 'None', source: `${await serveFolder(tempFolder())}/none.ics`, format: 'ics' };
    writeTree(clone, {
      'data/space/eclipses/many.json': { name: 'Many', events },
      'data/space/eclipses/none.source.json': none,
    });
    const first = await serveFolder(tempFolder());
    const output = join(tempFolder(), 'output');
    const env = { LOSS: '', GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: join(tempFolder(), 'summary') };
    const steps = await runSteps(clone, ['publish.yml', 'build'], { ...env, BASE_URL: first, PREVIOUS: 'none' });
    expect(failuresOf(steps)).toEqual([]);
    expect(steps).toHaveLength(4);
    expect(steps[1]?.output).toContain('"ok": true');
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toContain('| data/space/eclipses/none.source.json | never |');
    expect(steps[3]?.output).toContain('dist: whole');
    const digest = hash('sha256', readFileSync(join(clone, 'dist/files.json')));
    const failing = 'data/space/eclipses/none\\.source\\.json: could not use "[^\n]+';
    const outputs = new RegExp(`^failing_sources<<(\\w{32})\\n${failing}\\n\\1\\ndigest=sha256:${digest}\\n$`);
    expect(readFileSync(output, 'utf8')).toMatch(outputs);
    const index = readFileSync(join(clone, 'dist/api/v1/index.json'), 'utf8');
    expect(JSON.parse(index)).toMatchObject({ documentation: `${first}/api/v1/` });
    const build =
      readWorkflow('publish.yml').jobs['build']?.steps?.find(({ run }) => run?.includes(' build '))?.run ?? '';
    const live = await serveFolder(join(clone, 'dist'));
    expect(await runStep(clone, build, { ...env, BASE_URL: live, PREVIOUS: live })).toMatchObject({ code: 0 });
    rmSync(join(clone, 'data/space'), { recursive: true });
    const shrunk = await runStep(clone, build, { ...env, BASE_URL: live, PREVIOUS: live });
    expect(shrunk).toMatchObject({ code: 1, output: expect.stringContaining('eclipses-space') });
  });

  test('the steps for a bucket build, verify and publish', async () => {
    const { url, objects } = await startFakeS3();
    const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-central-1' };
    const address = await serveFolder(tempFolder());
    const variables = {
      S3_TARGET: 's3://bucket/site',
      S3_BASE_URL: address,
      BASE_URL: address,
      AWS_ROLE: 'arn:of-role',
    };
    const env = { ...keys, ...variables, AWS_ENDPOINT_URL: url, PREVIOUS: 'none', LOSS: '' };
    const steps = await runSteps(clone, ['publish.yml', 's3'], env);
    expect(failuresOf(steps)).toEqual([]);
    expect(steps).toHaveLength(5);
    const index = objects.get('site/api/v1/index.json')?.body.toString() ?? '';
    expect(JSON.parse(index)).toMatchObject({ documentation: `${address}/api/v1/` });
  });

  test('a pull request shows the problems and the changes of the catalogue', async () => {
    const summary = join(tempFolder(), 'summary.md');
    const calendar =
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Match\nDTSTART:20990102T200000Z\nEND:VEVENT\nEND:VCALENDAR\n';
    const host = await serveFolder(writeTree(tempFolder(), { 'club.ics': calendar }));
    const source = { name: 'Club', source: `${host}/club.ics`, format: 'ics' };
    writeTree(clone, { 'data/tv/comedy/club.source.json': source });
    const base = commit();
    rmSync(join(clone, 'data/space/eclipses'), { recursive: true });
    const env = {
      BASE: base,
      BASE_URL: 'https://example.org',
      RUNNER_TEMP: tempFolder(),
      GITHUB_STEP_SUMMARY: summary,
    };
    const steps = await runSteps(clone, ['pull-request.yml', 'compare'], env);
    expect(failuresOf(steps)).toEqual([]);
    const preview = readWorkflow('pull-request.yml').jobs['compare']?.steps?.at(-1);
    expect(preview).toMatchObject({
      uses: expect.stringMatching(/^actions\/upload-artifact@/) as string,
      with: { path: '${{ runner.temp }}/new' },
    });
    expect(existsSync(join(env.RUNNER_TEMP, 'new/index.html'))).toBe(true);
    const changes = readFileSync(summary, 'utf8');
    expect(changes).toMatch(/^### 1 event removed\n\n- .*eclipses\\-space/);
    expect(changes).not.toContain('Club');
  });

  test('an issue with a hostile body runs nothing, and changes no more than its event', async () => {
    const hostile = '$(touch pwned) `touch pwned`; touch pwned #\n${{ github.token }} \u0022; touch pwned; \u0022';
    const body = (title: string): string =>
      Object.entries({ Genre: 'tv/comedy', Title: title, When: '2099-01-02' })
        .map(([label, answer]) => `### ${label}\n\n${answer}\n\n`)
        .join('');
    const announce = async (text: string): Promise<{ done: Done[]; outcome: string; files: Map<string, string> }> => {
      const folder = writeTree(tempFolder(), { 'event.json': { issue: { number: 7, body: text } }, output: '' });
      const env = {
        RUNNER_TEMP: folder,
        GITHUB_EVENT_PATH: join(folder, 'event.json'),
        GITHUB_OUTPUT: join(folder, 'output'),
      };
      const done = await runSteps(clone, ['announce.yml', 'read'], env);
      const files = Array.from(
        readTree(join(folder, 'announcement')),
        ([name, bytes]) => [name, String(bytes)] as const,
      );
      restore();
      return { done, outcome: readFileSync(join(folder, 'output'), 'utf8'), files: new Map(files) };
    };

    const good = await announce(body('Night $(touch pwned) `touch pwned`'));
    expect(failuresOf(good.done)).toEqual([]);
    expect(good.outcome).toBe('outcome=change\n');
    const text = good.files.get('change.patch') ?? '';
    expect(Array.from(text.matchAll(/^diff --git (\S+)/gm), ([, path]) => path)).toEqual([
      'a/data/tv/comedy/night-touch-pwned-touch-pwned.json',
    ]);
    expect(text).toContain('+    { "title": "Night $(touch pwned) `touch pwned`", "starts": "2099-01-02" }');

    const bad = await announce(hostile);
    expect(failuresOf(bad.done)).toEqual([]);
    expect([bad.outcome, [...bad.files.keys()]]).toEqual(['outcome=problems\n', ['problems.txt']]);
    expect(bad.files.get('problems.txt')).toMatch(/^cannot read the issue: found no "Title"/);
    expect(existsSync(join(clone, 'pwned'))).toBe(false);
    expect(existsSync('pwned')).toBe(false);

    // The check reads the whole data folder, because a pull request of a workflow starts no other workflow.
    writeTree(clone, { 'data/tv/comedy/other.json': { name: 'Other', evnts: [] } });
    const unchecked = await announce(body('Night'));
    expect(failuresOf(unchecked.done)).toEqual([]);
    expect(unchecked.outcome).toBe('outcome=problems\n');
    expect(unchecked.files.get('problems.txt')).toContain('other.json:1:17: found the unknown key "evnts"');
  });

  test('the problem matcher reads every line that the check writes', async () => {
    const step = readWorkflow('pull-request.yml').jobs['compare']?.steps?.find(({ run }) =>
      run?.includes('problemMatcher'),
    );
    const [, text = ''] = /<<'JSON'\n([^]*?)\nJSON\n/.exec(step?.run ?? '') ?? [];
    const { problemMatcher } = JSON.parse(text) as {
      problemMatcher: { pattern: { regexp: string; file: number; line: number; column: number; message: number }[] }[];
    };
    const [pattern, ofWarnings] = problemMatcher.map((matcher) => new RegExp(matcher.pattern[0]?.regexp ?? ''));
    const files = { 'data/tv/Drama/notes.txt': '', 'data/tv/drama/club.csv': 'subject,title' };
    const { stdout } = await runAlmanac(['check'], { cwd: writeTree(withPast(), files) });
    const lines = stdout.trim().split('\n').slice(0, -1);
    expect(lines.map((line) => pattern?.exec(line)?.[1])).toEqual([
      'data/tv/Drama',
      'data/tv/Drama/genre.json',
      'data/tv/Drama/notes.txt',
      'data/tv/drama/club.csv',
    ]);
    const { stderr } = await runAlmanac(['check'], { cwd: withPast() });
    expect(ofWarnings?.exec(stderr.trim())?.[1]).toBe('data/tv/drama/old.json');
    expect(pattern?.test(stderr)).toBe(false);
  });

  /** A catalogue with a warning. */
  function withPast(): string {
    return writeTree(tempFolder(), {
      'data/service.json': { name: 'x', license: 'y', base_url: 'https://example.org' },
      'data/tv/category.json': { name: 'Television' },
      'data/tv/drama/genre.json': { name: 'Drama' },
      'data/tv/drama/old.json': { name: 'Old', events: [{ title: 'E', starts: '2001-01-01' }] },
    });
  }

  test('names of files in the data cannot put commands into the log of a nightly run', async () => {
    const folder = writeTree(withPast(), {
      'package.json': { scripts: { almanac: `node ${join(root, 'lib/bin/main.js')}` } },
      'data/tv/drama/a\n::add-mask::o\n  ::error::x.txt': '',
      'data/##[group]/x.txt': '',
    });
    const script = scriptOf('publish.yml', 'build', 'Build, unless');
    const env = { PREVIOUS: 'none', LOSS: '', BASE_URL: await serveFolder(tempFolder()) };
    const { code, output } = await runStep(folder, script, env);
    expect(code).toBe(1);
    expect(output).toContain(String.raw`data/tv/drama/a\u000a::add-mask::o\u000a`);
    expect(output).toContain(String.raw`data/##\u005bgroup]`);
    expect(commandsIn(output)).toEqual([]);
  });

  /** Returns the lines of a log that a runner takes for commands: those that begin with :: or contain ##[. */
  function commandsIn(log: string): string[] {
    return log.split(/[\n\r]/).filter((line) => /^\s*::|##\[/.test(line));
  }
});
