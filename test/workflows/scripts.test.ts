import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree, tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { almanac, runAlmanac } from '../setup/run-almanac.ts';
import { serveFolder } from '../setup/serve-folder.ts';
import { canRunSteps, runStep, type Done } from '../setup/steps.ts';
import { readWorkflow, scriptOf } from '../setup/workflows.ts';

/*
 * The scripts of the workflows that talk to GitHub and npm, with programs in their place that
 * record how they are called.
 */
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: 'pipe' });
const commit = [
  '-c',
  'user.name=test',
  '-c',
  'user.email=test@example.org',
  'commit',
  '--quiet',
  '--allow-empty',
];

/** Stands in for a program: writes its arguments and the files that they name into `calls`. */
const recorder = `#!/bin/bash
echo "\${0##*/} $*" >> "$CALLS"
asked=$1
while [ $# -gt 0 ]; do
  case "$1" in --body-file|--notes-file) cat "$2" >> "$CALLS" ;; esac
  [ "$1" = --jq ] && exec jq --raw-output "$2" "$ANSWERS/$asked.json"
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

/**
 * Runs a script with gh, npm and the clock replaced. `answers` are what gh finds, by its first
 * argument.
 */
async function runRecorded(
  folder: string,
  script: string,
  env: Readonly<Record<string, string>>,
  answers: { readonly api?: unknown; readonly issue?: unknown; readonly pr?: unknown } = {},
): Promise<Recorded> {
  const { api = {}, issue = [], pr = [] } = answers;
  const files = { gh: recorder, npm: recorder, date: clock, calls: '' };
  const programs = writeTree(tempFolder(), {
    ...files,
    'api.json': api,
    'issue.json': issue,
    'pr.json': pr,
  });
  for (const name of ['gh', 'npm', 'date']) chmodSync(join(programs, name), 0o755);
  const CALLS = join(programs, 'calls');
  const PATH = `${programs}:${process.env['PATH']}`;
  const done = await runStep(folder, script, { ...env, PATH, CALLS, ANSWERS: programs });
  return { ...done, calls: readFileSync(CALLS, 'utf8') };
}

/** A catalogue with a warning. */
function withPast(): string {
  return writeTree(tempFolder(), {
    'package.json': { scripts: { almanac: `node ${almanac}` } },
    'data/service.json': { name: 'x', license: 'y', base_url: 'https://example.org' },
    'data/tv/category.json': { name: 'Television' },
    'data/tv/drama/genre.json': { name: 'Drama' },
    'data/tv/drama/old.json': { name: 'Old', events: [{ title: 'E', starts: '2001-01-01' }] },
  });
}

describe.skipIf(!canRunSteps)('scripts', () => {
  describe('a release', () => {
    const refuse = scriptOf('release.yml', 'check', 'Refuse');
    const released: Tree = {
      'package.json': { repository: 'github:me/almanac', version: '1.1.0' },
      'CHANGELOG.md':
        '# Changelog\n\n## [Unreleased]\n\n## [1.1.0]\n\n- New.\n\n## [1.0.0]\n\n- First.\n',
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
      [
        'no section of the changelog',
        { 'CHANGELOG.md': '## [1.1.01]\n' },
        'there is no section for 1.1.0',
      ],
    ])('with %s is refused in one line', async (_, changed, message) => {
      const folder = writeTree(tempFolder(), { ...released, ...changed });
      const { code, output } = await runStep(folder, refuse, env);
      expect({ code, lines: output.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
      expect(output).toContain(message);
    });

    test('names its owner in one field of package.json', () => {
      const root = join(import.meta.dirname, '../..');
      const named = git(
        root,
        'grep',
        '--files-with-matches',
        '--fixed-strings',
        'github:OWNER/',
        '--',
        ':!test',
      )
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

    /**
     * Runs the job that writes with a patch, in a new clone of `remote`. `open` are its open pull
     * requests.
     */
    async function propose(
      remote: string,
      patch: string,
      open: readonly object[] = [],
    ): Promise<Recorded & { readonly clone: string }> {
      const clone = tempFolder();
      git(clone, 'clone', '--quiet', remote, '.');
      const RUNNER_TEMP = writeTree(tempFolder(), { 'announcement/change.patch': patch });
      const script = scriptOf('announce.yml', 'propose', 'Open a pull request');
      return {
        clone,
        ...(await runRecorded(clone, script, { ISSUE: '7', RUNNER_TEMP }, { pr: open })),
      };
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
      const files = {
        'data/tv/b.json': '{"$(touch pwned)":1}\n',
        '.github/workflows/ci.yml': 'on: issues\n',
      };
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
      const again = await propose(remote, patchOf(folder, { 'data/tv/b.json': '2\n' }), [
        { number: 12 },
      ]);
      expect(again).toMatchObject({
        code: 0,
        calls: expect.not.stringContaining('create') as string,
      });
      expect(git(remote, 'show', 'announce-7:data/tv/b.json')).toBe('2\n');
      expect(git(remote, 'rev-list', '--count', 'announce-7')).toBe('2\n');
    });

    test.each([
      ['a commit', ['--message', 'Correct the title']],
      ['an amended commit', ['--amend', '--no-edit']],
    ])(
      'that is labelled again leaves %s of a maintainer alone, and says so',
      async (_, options) => {
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
        expect(again).toMatchObject({
          code: 0,
          calls: expect.stringContaining('gh issue comment 7 ') as string,
        });
        expect(again.calls).toContain(
          'The branch `announce-7` has commits that this workflow did not make',
        );
        expect(git(remote, 'rev-parse', 'announce-7')).toBe(before);
      },
    );

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
      const given = read?.steps?.find(({ uses = '' }) =>
        uses.startsWith('actions/upload-artifact@'),
      )?.with;
      const taken = write?.steps?.find(({ uses = '' }) =>
        uses.startsWith('actions/download-artifact@'),
      )?.with;
      expect(given).toMatchObject(taken ?? {});
      expect(taken).toEqual({ name: 'announcement', path: '${{ runner.temp }}/announcement' });
    });
  });

  test.each<[string, unknown, string]>([
    ['fresh', '2026-11-19T01:00:00.000Z', ''],
    [
      'stale',
      '2026-11-19T00:00:00.000Z',
      'Its last_sync is 2026-11-19T00:00:00.000Z, 36 hours ago.',
    ],
    [
      'from the future',
      '2026-11-20T14:00:00Z',
      'Its last_sync, 2026-11-20T14:00:00Z, is in the future.',
    ],
    ['without a time', undefined, 'index.json cannot be read.'],
    ['with commands', '2099-01-01\n::add-mask::x', 'index.json cannot be read.'],
    ['with a list', ['##[add-mask]x'], 'index.json cannot be read.'],
    ['missing', null, 'index.json cannot be read.'],
  ])(
    'at night, an issue says why the live index is not fresh: one that is %s (%j)',
    async (_, last_sync, reason) => {
      const index = last_sync === null ? {} : { 'api/v1/index.json': { catalogue: { last_sync } } };
      const api = { html_url: `${await serveFolder(writeTree(tempFolder(), index))}/` };
      const script = scriptOf('publish.yml', 'freshness', 'Compare').replace(
        '--retry 5 --retry-all-errors',
        '',
      );
      const env = { GH_REPO: 'me/fairs', RUN: 'https://github.example/run/1', TITLE: 'Not fresh' };
      const callsWith = async (...issue: readonly object[]): Promise<string> => {
        const { code, output, calls } = await runRecorded(tempFolder(), script, env, {
          api,
          issue,
        });
        expect([code, output.includes('add-mask')]).toEqual([reason === '' ? 0 : 1, false]);
        return calls.replaceAll(/.* --jq .*\n/g, '');
      };
      const other = { number: 3, title: 'Not fresh again' };
      const opened = expect.stringMatching(
        /^gh issue create --title Not fresh --body .* https:\S+run\/1\n$/,
      ) as string;
      expect(await callsWith(other)).toEqual(reason === '' ? '' : opened);
      expect(await callsWith(other)).toContain(reason);
      const closed = `gh issue close 4 --comment ${env.RUN}\n`;
      expect(await callsWith(other, { number: 4, title: 'Not fresh' })).toBe(
        reason === '' ? closed : '',
      );
    },
  );

  test.each([
    ['the same', '2026f', [], false],
    ['older', '2026e', [], false],
    ['newer', '2027a', [], true],
    ['newer, and has an issue', '2027a', [{ number: 3 }], false],
  ])(
    'at night, an issue asks for a newer time zone database: one that is %s',
    async (_, newest, issue, isAsked) => {
      const folder = writeTree(tempFolder(), {
        'zoneinfo/tzdata.zi': `# version ${newest}\n# redo posix_only\n`,
        'src/catalogue/time/zone-table.json': { version: '2026f' },
      });
      const script = scriptOf('zones.yml', 'compare', 'Compare').replace(
        '/usr/share/zoneinfo',
        'zoneinfo',
      );
      const { code, calls } = await runRecorded(folder, script, {}, { issue });
      const created = calls.split('\n').filter((call) => call.startsWith('gh issue create'));
      expect({ code, created }).toEqual({
        code: 0,
        created: isAsked
          ? [
              'gh issue create --title The time zone database 2027a is newer than the table --body The table has 2026f. .github/RELEASING.md says how to renew it.',
            ]
          : [],
      });
    },
  );

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
  ] as const)(
    'a build continues the live site if there was a deployment: %s',
    async (_, deployments, site) => {
      const gh = `#!/bin/bash
case "$*" in
  *deployments?environment=*) jq '.[].id' "$DEPLOYMENTS" ;;
  *) id=\${2#*deployments/}; jq --raw-output ".[] | select(.id == \${id%/statuses}) | .states[]" "$DEPLOYMENTS" ;;
esac
`;
      const folder = writeTree(tempFolder(), { deployments: [...deployments], gh });
      chmodSync(join(folder, 'gh'), 0o755);
      const paths = {
        PATH: `${folder}:${process.env['PATH']}`,
        DEPLOYMENTS: join(folder, 'deployments'),
      };
      const env = { ...paths, GITHUB_REPOSITORY: 'me/fairs', BASE_URL: 'https://e.org' };
      const script = scriptOf('publish.yml', 'build', 'Continue the live site');
      expect(await runStep(folder, script, env)).toMatchObject({
        code: 0,
        output: '',
        outputs: `site=${site}\n`,
      });
    },
  );

  test('the summary of a run lists its remote sources', async () => {
    const script = scriptOf('publish.yml', 'build', 'List the remote sources');
    const source = {
      file: 'data/a.source.json',
      url: 'https://a.example/',
      last_success: null,
      events: 0,
      silent_since: null,
    };
    const silent = {
      last_success: '2027-01-12T12:00:00.000Z',
      silent_since: '2027-01-10T12:00:00.000Z',
    };
    const folder = writeTree(tempFolder(), {
      'build.json': { ok: true, sources: [source, { ...source, ...silent }] },
    });
    const { code, output, summary } = await runStep(folder, script, {});
    expect([code, output]).toEqual([0, '']);
    expect(summary).toBe(`\
| remote source | last success | events | silent since |
| --- | --- | --: | --- |
| data/a.source.json | never | 0 |  |
| data/a.source.json | 2027-01-12T12:00:00.000Z | 0 | 2027-01-10T12:00:00.000Z |
`);
  });

  test.each<[string, string, Tree, RegExp | string]>([
    [
      'an event is its patch',
      'Night $(touch pwned) `touch pwned`',
      {},
      'night-touch-pwned-touch-pwned.json',
    ],
    [
      'a hostile body is a problem',
      '\n### Other\n\n$(touch pwned) `touch pwned`; touch pwned #\n${{ github.token }} "; touch pwned; "',
      {},
      /^cannot read the issue: found no "Title"/,
    ],
    // A pull request of a workflow starts no other workflow.
    [
      'a problem elsewhere in the data is one',
      'Night',
      { 'data/tv/drama/other.json': { name: 'Other', evnts: [] } },
      /other\.json:1:17: found the unknown key "evnts"/,
    ],
  ])(
    'an issue runs nothing, and changes no more than its event: %s',
    async (_, title, data, found) => {
      const folder = writeTree(withPast(), data);
      git(folder, 'init', '--quiet');
      git(folder, 'add', '--all');
      git(folder, ...commit, '--message', 'Start');
      const body = `### Genre\n\nDrama\n\n### When\n\n2099-01-02\n\n### Title\n\n${title}\n`;
      const RUNNER_TEMP = writeTree(tempFolder(), { 'event.json': { issue: { number: 7, body } } });
      const env = {
        RUNNER_TEMP,
        GITHUB_EVENT_PATH: join(RUNNER_TEMP, 'event.json'),
        BASE_URL: 'https://example.org',
      };
      const { code, outputs } = await runStep(
        folder,
        scriptOf('announce.yml', 'read', 'Change the data'),
        env,
      );
      const [[file, bytes] = []] = readTree(join(RUNNER_TEMP, 'announcement'));
      const isChange = typeof found === 'string';
      expect([code, outputs, file]).toEqual(
        isChange
          ? [0, 'outcome=change\n', 'change.patch']
          : [0, 'outcome=problems\n', 'problems.txt'],
      );
      if (isChange) {
        const changed = Array.from(
          String(bytes).matchAll(/^diff --git (\S+)/gm),
          ([, path]) => path,
        );
        expect(changed).toEqual([`a/data/tv/drama/${found}`]);
        expect(String(bytes)).toContain(`+    { "title": "${title}", "starts": "2099-01-02" }`);
      } else expect(String(bytes)).toMatch(found);
      expect([folder, '.'].map((cwd) => existsSync(join(cwd, 'pwned')))).toEqual([false, false]);
    },
  );

  test('the problem matcher reads every line that the check writes', async () => {
    const step = readWorkflow('pull-request.yml').jobs['compare']?.steps?.find(({ run }) =>
      run?.includes('problemMatcher'),
    );
    const [, text = ''] = /<<'JSON'\n([^]*?)\nJSON\n/.exec(step?.run ?? '') ?? [];
    const { problemMatcher } = JSON.parse(text) as {
      problemMatcher: {
        pattern: { regexp: string; file: number; line: number; column: number; message: number }[];
      }[];
    };
    const [pattern, ofWarnings] = problemMatcher.map(
      (matcher) => new RegExp(matcher.pattern[0]?.regexp ?? ''),
    );
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

  test('names of files in the data cannot put commands into the log of a nightly run', async () => {
    const folder = writeTree(withPast(), {
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

  /**
   * Returns the lines of a log that a runner takes for commands: those that begin with :: or
   * contain ##[.
   */
  function commandsIn(log: string): string[] {
    return log.split(/[\n\r]/).filter((line) => /^\s*::|##\[/.test(line));
  }
});
