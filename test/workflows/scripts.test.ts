import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { serveFolder } from '../setup/serve-folder.ts';
import { canRunSteps, runStep, type Done } from '../setup/steps.ts';
import { readWorkflow, scriptOf, workflowFolder } from '../setup/workflows.ts';

/*
 * The scripts of the workflows that talk to GitHub and npm, with programs in their place that record how they are called.
 */
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: 'pipe' });
const commit = ['-c', 'user.name=test', '-c', 'user.email=test@example.org', 'commit', '--quiet', '--allow-empty'];

/** Stands in for a program: writes its arguments and the files that they name into `calls`. */
const recorder = `#!/bin/bash
echo "\${0##*/} $*" >> "$CALLS"
while [ $# -gt 0 ]; do
  case "$1" in --body-file|--notes-file) cat "$2" >> "$CALLS" ;; esac
  [ "$1" = --jq ] && exec jq --raw-output "$2" "$ANSWER"
  shift
done
exit 0
`;

interface Recorded extends Done {
  readonly calls: string;
}

const clock = `#!/bin/bash
case "$*" in *--date*) exec /bin/date "$@" ;; *) exec /bin/date --date 2026-11-20T12:17:00Z "$@" ;; esac
`;

/** Runs a script with gh, npm and the clock replaced. `answer` is the document that gh finds. */
async function runRecorded(
  folder: string,
  script: string,
  env: Readonly<Record<string, string>>,
  answer: unknown = [],
): Promise<Recorded> {
  const programs = writeTree(tempFolder(), {
    gh: recorder,
    npm: recorder,
    date: clock,
    calls: '',
    'answer.json': answer,
  });
  for (const name of ['gh', 'npm', 'date']) chmodSync(join(programs, name), 0o755);
  const CALLS = join(programs, 'calls');
  const PATH = `${programs}:${process.env['PATH']}`;
  const ANSWER = join(programs, 'answer.json');
  const done = await runStep(folder, script, { ...env, PATH, CALLS, ANSWER });
  return { ...done, calls: readFileSync(CALLS, 'utf8') };
}

describe.skipIf(!canRunSteps)('scripts', () => {
  describe('a release', () => {
    const refuse = scriptOf('release.yml', 'check', 'Refuse');
    const released: Tree = {
      'package.json': { repository: 'github:me/almanac', version: '1.1.0' },
      'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n## [1.1.0]\n\n- New.\n\n## [1.0.0]\n\n- First.\n',
    };
    const env = { GITHUB_REPOSITORY: 'me/almanac', GITHUB_REF_NAME: 'v1.1.0' };

    test.each<[string, Tree, string]>([
      [
        'no owner',
        { 'package.json': { repository: 'github:OWNER/almanac', version: '1.1.0' } },
        'set it to github:me/',
      ],
      [
        'another version',
        { 'package.json': { repository: 'github:me/almanac', version: '1.0.9' } },
        'the tag says v1.1.0',
      ],
      ['no section of the changelog', { 'CHANGELOG.md': '## [1.1.01]\n' }, 'there is no section for 1.1.0'],
    ])('with %s is refused in one line', async (_, changed, message) => {
      const folder = writeTree(tempFolder(), { ...released, ...changed });
      const { code, output } = await runStep(folder, refuse, env);
      expect({ code, lines: output.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
      expect(output).toContain(message);
    });

    test('names its owner in one field of package.json', () => {
      const root = join(import.meta.dirname, '../..');
      const named = git(root, 'grep', '--files-with-matches', '--fixed-strings', 'github:OWNER/', '--', ':!test')
        .trim()
        .split('\n');
      // The second file recognises an owner that is not set yet.
      expect(named).toEqual(['package.json', 'src/cli/init.ts']);
      expect(readFileSync(join(root, 'package.json'), 'utf8').match(/\bOWNER\b/g)).toHaveLength(1);
    });

    test('is made of the package and the section of its version', async () => {
      const folder = writeTree(tempFolder(), released);
      expect(await runStep(folder, refuse, env)).toMatchObject({ code: 0, output: '' });
      const pack = scriptOf('release.yml', 'pack', 'Pack the package');
      expect(await runRecorded(folder, pack, env)).toMatchObject({
        code: 0,
        calls: 'npm pack --ignore-scripts --pack-destination release\n',
      });
      const release = writeTree(join(folder, 'release'), { 'almanac-1.1.0.tgz': '' });
      const publish = scriptOf('release.yml', 'publish', 'Create the GitHub release');
      expect(await runRecorded(release, publish, env)).toMatchObject({
        code: 0,
        calls:
          'gh release create v1.1.0 --verify-tag --title v1.1.0 --notes-file notes.md ./almanac-1.1.0.tgz\n\n- New.\n\n',
      });
    });
  });

  test('a failure opens an issue or comments on the one with its whole title, and the next success closes it', async () => {
    const DETAILS = 'data/a.source.json: @me `x`\ndata/b.source.json: gone';
    const report = async (
      step: string,
      NUMBER: string,
      issues: unknown = [],
    ): Promise<[calls: string, outputs: string]> => {
      const env = { TITLE: 'Remote sources fail', DETAILS, RUN: 'https://github.example/run/1', NUMBER };
      const { calls, outputs } = await runRecorded(tempFolder(), scriptOf('report.yml', 'report', step), env, issues);
      return [calls, outputs];
    };
    const other = { number: 3, title: 'Remote sources fail again' };
    expect((await report('Find', '', [other]))[1]).toBe('number=\n');
    expect((await report('Find', '', [other, { number: 4, title: 'Remote sources fail' }]))[1]).toBe('number=4\n');
    const body = `    ${DETAILS.replace('\n', '\n    ')}\n\nThe run: https://github.example/run/1\n`;
    expect((await report('Open', ''))[0]).toBe(
      `gh issue create --title Remote sources fail --body-file body.md\n${body}`,
    );
    expect((await report('Open', '4'))[0]).toBe(`gh issue comment 4 --body-file body.md\n${body}`);
    expect((await report('Close', '4'))[0]).toBe(
      'gh issue close 4 --comment It works again since https://github.example/run/1\n',
    );
  });

  describe('an announced event', () => {
    /** A clone with one commit, and its remote. */
    function cloned(): { readonly remote: string; readonly folder: string } {
      const [remote, folder] = [tempFolder(), tempFolder()];
      git(remote, 'init', '--quiet', '--bare');
      git(folder, 'clone', '--quiet', remote, '.');
      writeTree(folder, { 'data/tv/a.json': '{}\n', '.github/workflows/ci.yml': 'on: push\n' });
      git(folder, 'add', '--all');
      git(folder, ...commit, '--message', 'Start');
      git(folder, 'push', '--quiet', 'origin', 'HEAD');
      return { remote, folder };
    }

    /** Runs the job that writes with a patch, in a new clone of `remote`. `answer` is what gh finds. */
    async function propose(
      remote: string,
      patch: string,
      answer: unknown = [],
    ): Promise<Recorded & { readonly clone: string }> {
      const clone = tempFolder();
      git(clone, 'clone', '--quiet', remote, '.');
      const RUNNER_TEMP = writeTree(tempFolder(), { 'announcement/change.patch': patch });
      const script = scriptOf('announce.yml', 'propose', 'Open a pull request');
      return { clone, ...(await runRecorded(clone, script, { ISSUE: '7', RUNNER_TEMP }, answer)) };
    }

    /** Returns the patch that adds files to the first commit. */
    function patchOf(folder: string, tree: Tree): string {
      writeTree(folder, tree);
      git(folder, 'add', '--all');
      const patch = git(folder, 'diff', '--cached', '--binary');
      git(folder, 'reset', '--quiet', '--hard');
      return patch;
    }

    test('becomes a pull request that changes nothing outside of data/', async () => {
      const { remote, folder } = cloned();
      const files = { 'data/tv/b.json': '{"$(touch pwned)":1}\n', '.github/workflows/ci.yml': 'on: issues\n' };
      const patch = patchOf(folder, files);
      const { code, calls, output, clone } = await propose(remote, patch);
      expect({ code, output }).toMatchObject({ code: 0 });
      expect(git(remote, 'show', '--format=%s', '--name-only', 'announce-7')).toBe(
        'Add the event of issue #7\n\ndata/tv/b.json\n',
      );
      expect(calls).toContain(
        'gh pr create --head announce-7 --title Add the event of issue #7 --body Made from issue #7',
      );
      expect(existsSync(join(clone, 'pwned'))).toBe(false);
    });

    test('that is labelled again replaces the commit of the workflow and opens no second pull request', async () => {
      const { remote, folder } = cloned();
      await propose(remote, patchOf(folder, { 'data/tv/b.json': '1\n' }));
      const again = await propose(remote, patchOf(folder, { 'data/tv/b.json': '2\n' }), [{ number: 12 }]);
      expect(again).toMatchObject({ code: 0, calls: expect.not.stringContaining('create') as string });
      expect(git(remote, 'show', 'announce-7:data/tv/b.json')).toBe('2\n');
      expect(git(remote, 'rev-list', '--count', 'announce-7')).toBe('2\n');
    });

    test.each([
      ['a commit', ['--message', 'Correct the title']],
      ['an amended commit', ['--amend', '--no-edit']],
    ])('that is labelled again leaves %s of a maintainer alone, and says so', async (_, options) => {
      const { remote, folder } = cloned();
      const patch = patchOf(folder, { 'data/tv/b.json': '1\n' });
      await propose(remote, patch);
      git(folder, 'fetch', '--quiet');
      git(folder, 'switch', '--quiet', 'announce-7');
      writeTree(folder, { 'data/tv/b.json': 'corrected\n' });
      git(folder, 'add', '--all');
      git(folder, ...commit, ...options);
      git(folder, 'push', '--quiet', '--force');
      const before = git(remote, 'rev-parse', 'announce-7');
      const again = await propose(remote, patch, [{ number: 12 }]);
      expect(again).toMatchObject({ code: 0, calls: expect.stringContaining('gh issue comment 7 ') as string });
      expect(again.calls).toContain('The branch `announce-7` has commits that this workflow did not make');
      expect(git(remote, 'rev-parse', 'announce-7')).toBe(before);
    });

    test('never overwrites a branch that somebody has pushed to since the checkout', async () => {
      const { remote, folder } = cloned();
      const patch = patchOf(folder, { 'data/tv/b.json': '1\n' });
      const late = tempFolder();
      git(late, 'clone', '--quiet', remote, '.');
      git(folder, 'push', '--quiet', 'origin', 'HEAD:announce-7');
      const before = git(remote, 'rev-parse', 'announce-7');
      const RUNNER_TEMP = writeTree(tempFolder(), { 'announcement/change.patch': patch });
      const script = scriptOf('announce.yml', 'propose', 'Open a pull request');
      const { code } = await runRecorded(late, script, { ISSUE: '7', RUNNER_TEMP });
      expect(code).toBe(1);
      expect(git(remote, 'rev-parse', 'announce-7')).toBe(before);
    });

    test('that cannot be added gets a comment, in which the text of a stranger is code', async () => {
      const problems = 'found starts "@everyone <img>";\nwrite 2027-01-02\n';
      const RUNNER_TEMP = writeTree(tempFolder(), { 'announcement/problems.txt': problems });
      const script = scriptOf('announce.yml', 'propose', 'Comment on the issue');
      const { code, calls } = await runRecorded(tempFolder(), script, { ISSUE: '7', RUNNER_TEMP });
      expect(code).toBe(0);
      expect(calls).toMatch(
        /^gh issue comment 7 --body-file \S+\nThe event cannot be added yet\. .*\n\n {4}found starts/,
      );
      expect(calls).toContain('\n    found starts "@everyone <img>";\n    write 2027-01-02\n');
    });

    test('reaches the job that writes as a file, whatever its size', () => {
      const { read, propose: write } = readWorkflow('announce.yml').jobs;
      const given = read?.steps?.find(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'))?.with;
      const taken = write?.steps?.find(({ uses = '' }) => uses.startsWith('actions/download-artifact@'))?.with;
      expect(given).toMatchObject(taken ?? {});
      expect(taken).toEqual({ name: 'announcement', path: '${{ runner.temp }}/announcement' });
    });
  });

  test.each<[string, unknown, number, string]>([
    ['fresh', '2026-11-19T01:00:00.000Z', 0, ''],
    ['stale', '2026-11-19T00:00:00.000Z', 1, 'last_sync is 2026-11-19T00:00:00.000Z, 36 hours'],
    ['from the future', '2026-11-20T14:00:00Z', 1, '2026-11-20T14:00:00Z, is in the future.'],
    ['without a time', undefined, 1, '/api/v1/index.json has no valid last_sync.'],
    ['with commands', '2099-01-01\n::add-mask::x', 1, '/api/v1/index.json has no valid last_sync.'],
    ['with a list', ['##[add-mask]x'], 1, '/api/v1/index.json has no valid last_sync.'],
    ['missing', null, 1, ' cannot be read.'],
  ])('the freshness workflow says why it fails: an index that is %s (%j)', async (_, last_sync, code, reason) => {
    const index = last_sync === null ? {} : { 'api/v1/index.json': { catalogue: { last_sync } } };
    const site = await serveFolder(writeTree(tempFolder(), index));
    const env = { GITHUB_REPOSITORY: 'me/fairs' };
    const script = scriptOf('freshness.yml', 'check', 'Compare last_sync').replace('--retry 5 --retry-all-errors', '');
    const run = await runRecorded(tempFolder(), script, env, { html_url: `${site}/` });
    expect(run).toMatchObject({ code, calls: 'gh api repos/me/fairs/pages --jq .html_url\n' });
    expect(run.outputs).toMatch(code === 0 ? /^$/ : /^reason=[^\n]+\n$/);
    expect(run.outputs).toContain(reason);
    expect(run.output).not.toContain('add-mask');
  });

  test.each([
    ['none', [], 'none'],
    ['one that failed', [{ id: 1, states: ['failure', 'in_progress'] }], 'none'],
    [
      'one that succeeded',
      [
        { id: 2, states: ['failure'] },
        { id: 1, states: ['inactive', 'success'] },
      ],
      'https://e.org',
    ],
  ] as const)('a build continues the live site if there was a deployment: %s', async (_, deployments, site) => {
    for (const job of ['build', 's3']) {
      const folder = writeTree(tempFolder(), { deployments: [...deployments] });
      const gh = `#!/bin/bash
case "$*" in
  *deployments?environment=*) jq '.[].id' "$DEPLOYMENTS" ;;
  *) id=\${2#*deployments/}; jq --raw-output ".[] | select(.id == \${id%/statuses}) | .states[]" "$DEPLOYMENTS" ;;
esac
`;
      writeTree(folder, { 'bin/gh': gh });
      chmodSync(join(folder, 'bin/gh'), 0o755);
      const env = {
        PATH: `${folder}/bin:${process.env['PATH']}`,
        DEPLOYMENTS: join(folder, 'deployments'),
        GITHUB_REPOSITORY: 'me/fairs',
        ENVIRONMENT: 'github-pages',
        BASE_URL: 'https://e.org',
      };
      const script = scriptOf('publish.yml', job, 'Continue the live site');
      expect(await runStep(folder, script, env)).toMatchObject({ code: 0, output: '', outputs: `site=${site}\n` });
    }
  });

  test('the reasons of failing sources end before the delimiter, however long they are', async () => {
    const warning = { code: 'source-failed', file: 'data/a.source.json', message: 'é'.repeat(400) };
    const folder = writeTree(tempFolder(), {
      'build.json': { ok: true, warnings: Array.from({ length: 50 }, () => warning) },
      npm: '#!/bin/sh\nexec cat "$BUILT"\n',
    });
    chmodSync(join(folder, 'npm'), 0o755);
    const env = {
      PATH: `${folder}:${process.env['PATH']}`,
      BUILT: join(folder, 'build.json'),
      BASE_URL: '',
      PREVIOUS: 'none',
      LOSS: '',
    };
    const script = scriptOf('publish.yml', 'build', 'Build, unless');
    const { code, outputs } = await runStep(tempFolder(), script, env);
    const [first = '', ...lines] = outputs.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(first).toBe(`failing_sources<<${lines.pop()}`);
    expect(lines.join('\n').length).toBeGreaterThan(10_000);
  });

  test.each([
    ['the generator', workflowFolder],
    ['a catalogue', join(import.meta.dirname, '../../src/cli/init/workflows')],
  ])('the summary of a run of %s lists its remote sources', async (_, workflows) => {
    const script = scriptOf('publish.yml', 'build', 'List the remote sources', workflows);
    const source = {
      file: 'data/a.source.json',
      url: 'https://a.example/',
      last_success: null,
      events: 0,
      silent_since: null,
    };
    const silent = { last_success: '2027-01-12T12:00:00.000Z', silent_since: '2027-01-10T12:00:00.000Z' };
    const folder = writeTree(tempFolder(), { 'build.json': { ok: true, sources: [source, { ...source, ...silent }] } });
    const { code, output, summary } = await runStep(folder, script, {});
    expect([code, output]).toEqual([0, '']);
    expect(summary).toBe(`\
| remote source | last success | events | silent since |
| --- | --- | --: | --- |
| data/a.source.json | never | 0 |  |
| data/a.source.json | 2027-01-12T12:00:00.000Z | 0 | 2027-01-10T12:00:00.000Z |
`);
  });

  test('publishing to a bucket begins only if all of its variables are set', async () => {
    const script = scriptOf('publish.yml', 's3', 'Refuse to begin');
    const all = { S3_BASE_URL: 'https://example.org', AWS_REGION: 'eu-central-1', AWS_ROLE: 'arn:of-role' };
    expect(await runStep(tempFolder(), script, all)).toMatchObject({ code: 0, output: '' });
    for (const name of Object.keys(all)) {
      const output = `::error::S3_TARGET is set and ${name} is not; set this variable of the repository too\n`;
      expect(await runStep(tempFolder(), script, { ...all, [name]: '' })).toMatchObject({ code: 1, output });
    }
  });
});
