import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { listen, plainHost } from '../setup/host.ts';
import { frozenClock } from '../setup/clock.ts';
import { afterFile, lastingFolder } from '../setup/folders.ts';
import { packGenerator } from '../setup/pack.ts';
import { canRunSteps } from '../setup/steps.ts';
import { LocalRunner, type Event, type WorkflowRun } from '../setup/runner.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/*
 * The life of a catalogue that `almanac init` wrote, with nothing published anywhere: from the
 * first push to an artifact that `almanac verify` accepts, and again a year later with an upgrade
 * between. Each test continues the one before.
 */
const root = join(import.meta.dirname, '../..');
const start = Date.parse('2026-11-20T12:17:00Z') / 1000;
const [night, year] = [24 * 3600, 365 * 24 * 3600];

let tarballs: string;
let folder: string;
let runner: LocalRunner;
/** What was deployed last. */
let live: string;
/** What a person types: git knows who they are, and the clock is that of the test. */
let env: Record<string, string | undefined>;
let hook: { readonly url: string; readonly received: string[]; status: number };

describe.skipIf(!canRunSteps)('a catalogue that init wrote', () => {
  beforeAll(async () => {
    tarballs = lastingFolder();
    const tarball = packGenerator('1.0.0', tarballs);
    packGenerator('1.1.0', tarballs);
    const work = lastingFolder();
    const identity = { GIT_AUTHOR_NAME: 'me', GIT_AUTHOR_EMAIL: 'me@example.org' };
    const committer = { GIT_COMMITTER_NAME: 'me', GIT_COMMITTER_EMAIL: 'me@example.org' };
    env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...identity, ...committer };
    env['npm_config_prefer_offline'] = 'true';
    Object.assign(env, frozenClock(start * 1000));
    folder = join(work, 'fairs');
    sh(
      `npx --yes --package ${tarball} almanac init fairs --package ${tarball} && cd fairs && npm install`,
      work,
    );
    const origin = join(work, 'origin.git');
    sh(`git init --quiet --bare --initial-branch main ${origin}`, work);
    sh(
      `git init --quiet --initial-branch main && git add --all && git commit --quiet --message "Start a catalogue"`,
    );
    sh(`git remote add origin ${origin} && git push --quiet --set-upstream origin main`);
    live = lastingFolder();
    const { url, close } = await listen(plainHost(live));
    afterFile(close);
    runner = new LocalRunner(origin, live, url);
    hook = await webhook();
  });

  /** Runs what a person types in the folder of the catalogue. */
  function sh(commands: string, cwd = folder): string {
    return execFileSync('bash', ['-e', '-c', commands], {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function webhook(): Promise<typeof hook> {
    const received: string[] = [];
    const { url, close } = await listen((request, answer) => {
      request.setEncoding('utf8').on('data', (text: string) => received.push(text));
      request.on('end', () => answer.writeHead(hook.status).end());
    });
    afterFile(close);
    return { url, received, status: 200 };
  }

  async function publish(
    number: number,
    time: number,
    contexts: Event['contexts'] = {},
  ): Promise<WorkflowRun> {
    return runner.run('publish.yml', {
      ref: 'main',
      time,
      contexts: { 'github.run_number': number, ...contexts },
    });
  }

  /** The artifact is whole, and is what is live. */
  async function expectPublished(version: string): Promise<void> {
    const artifact = runner.artifact('github-pages');
    expect(await runAlmanac(['verify', artifact], { cwd: root })).toMatchObject({ code: 0 });
    const manifest = readFileSync(join(artifact, 'files.json'), 'utf8');
    expect(manifest).toContain(`{"generator":"almanac/${version}"`);
    expect(readFileSync(join(live, 'files.json'), 'utf8')).toBe(manifest);
  }

  const published = { build: 'success', deploy: 'success', notify: 'success' };

  test('the first push publishes the catalogue', async () => {
    const run = await publish(1, start);
    expect(run, run.log).toMatchObject({ results: published });
    await expectPublished('1.0.0');
  });

  test('each change is sent to a chat once, and a failed delivery does not end the deployment', async () => {
    const withSecret = { 'secrets.NOTIFY_URL': hook.url };
    sh('npx almanac add example/fairs/spring-fair "Second day" 2027-06-09');
    sh('git commit --quiet --all --message "Add a day" && git push --quiet');
    hook.status = 500;
    const refused = await publish(2, start + night, withSecret);
    expect(refused, refused.log).toMatchObject({ results: published });
    expect(refused.log).toContain(
      'the changes were not delivered: the webhook answered with status 500',
    );
    expect(refused.log).toContain('::warning::the changes were not delivered');
    expect(refused.log).not.toContain(hook.url);
    await expectPublished('1.0.0');

    sh('npx almanac add example/fairs/spring-fair "Third day" 2027-06-10');
    sh('git commit --quiet --all --message "Add a day" && git push --quiet');
    hook.status = 200;
    const before = hook.received.length;
    for (const number of [3, 4])
      expect(await publish(number, start + number * night, withSecret)).toMatchObject({
        results: published,
      });
    expect(hook.received.slice(before)).toEqual([expect.stringContaining('Third day')]);
  });

  test('an outage of the live site does not look like a first run', async () => {
    const saved = join(lastingFolder(), 'live');
    cpSync(live, saved, { recursive: true });
    sh(`rm -r ${live}/*`, root);
    const run = await publish(5, start + 5 * night);
    expect(run.results).toMatchObject({ build: 'failure', deploy: 'skipped', notify: 'skipped' });
    expect(run.log).toContain('found no site at');
    cpSync(saved, live, { recursive: true });
  });

  test('at night, a mistake in the newest commit does not stop the site, and the run says so', async () => {
    const good = sh('git rev-parse --short HEAD').trim();
    sh(
      `echo '{' > data/example/fairs/typo.json && git add --all && git commit --quiet --message "Add" && git push --quiet`,
    );
    const pushed = await publish(6, start + 6 * night);
    expect(pushed.results).toMatchObject({ build: 'failure', deploy: 'skipped' });
    const run = await publish(7, start + 7 * night, { 'github.event_name': 'schedule' });
    expect(run, run.log).toMatchObject({ results: { ...published, freshness: 'success' } });
    expect(run.log).toContain(`is not valid; building ${good}`);
    await expectPublished('1.0.0');
    expect(run.calls).toContain(
      'gh api --method PUT repos/me/fairs/actions/workflows/publish.yml/enable',
    );
    expect(run.calls).not.toContain('gh issue create');
    sh('git revert --no-edit HEAD && git push --quiet');
  });

  test('the run of a night opens an issue that says why the live site is not fresh', async () => {
    const scheduled = { 'github.event_name': 'schedule' };
    const index = join(live, 'api/v1/index.json');
    const text = readFileSync(index, 'utf8');
    const lastSync = (days: number): string =>
      new Date((start + days * night) * 1000).toISOString();
    // Nothing is deployed, because the guard finds no site.
    rmSync(join(live, 'files.json'));
    for (const [written, reason] of [
      [text.replace(/"last_sync":"[^"]+"/, `"last_sync":"${lastSync(6)}"`), 'hours ago.'],
      ['{}', 'cannot be read.'],
    ] as const) {
      writeFileSync(index, written);
      const run = await publish(8, start + 8 * night, scheduled);
      expect(run.results).toMatchObject({
        build: 'failure',
        deploy: 'skipped',
        freshness: 'failure',
      });
      expect(run.calls).toContain(
        'gh issue create --title The live catalogue is not fresh --body ',
      );
      expect(run.calls).toContain(reason);
    }
    cpSync(runner.artifact('github-pages'), live, { recursive: true });
  });

  test('a pull request shows what it would change', async () => {
    const base = sh('git rev-parse HEAD').trim();
    sh(
      'git switch --quiet --create evening && npx almanac add example/fairs/spring-fair "Evening" 2027-06-11',
    );
    sh(
      'git commit --quiet --all --message "Add an evening" && git push --quiet origin evening && git switch --quiet main',
    );
    const contexts = { 'github.event.pull_request.base.sha': base };
    const run = await runner.run('pull-request.yml', { ref: 'evening', time: start, contexts });
    expect(run, run.log).toMatchObject({ results: { compare: 'success' } });
    expect(run.log).toMatch(/^::add-matcher::.*problem-matcher\.json$/m);
    expect(run.summary).toContain('1 event added');
    expect(run.summary).toContain('Evening');
  });

  test('an issue becomes a pull request', async () => {
    const answers = {
      Title: 'Autumn fair',
      When: '2. Oktober 2027, 9 Uhr',
      Genre: 'Fairs',
    };
    const body = Object.entries(answers)
      .map(([label, answer]) => `### ${label}\n\n${answer}\n`)
      .join('\n');
    const contexts = { 'github.event.label.name': 'accepted', 'github.event.issue.number': 7 };
    const run = await runner.run('announce.yml', {
      ref: 'main',
      time: start,
      contexts,
      payload: { issue: { body } },
    });
    expect(run, run.log).toMatchObject({ results: { read: 'success', propose: 'success' } });
    expect(run.calls).toContain('gh pr create --head announce-7');
    expect(sh('git fetch --quiet && git diff --name-only main origin/announce-7')).toBe(
      'data/example/fairs/autumn-fair.json\n',
    );
  });

  test('a year later, an upgraded catalogue is published', async () => {
    Object.assign(env, frozenClock((start + year) * 1000));
    cpSync(join(tarballs, 'almanac-1.1.0.tgz'), join(folder, 'almanac-1.1.0.tgz'));
    const [, commands = ''] =
      /^## Upgrade almanac$[^]*?^```sh not-run\n([^]*?)^```$/m.exec(
        readFileSync(join(root, 'docs/operate.md'), 'utf8'),
      ) ?? [];
    expect(commands).toContain('npm install ./');
    sh(commands);
    expect(existsSync(join(folder, 'vendor/almanac-1.0.0.tgz'))).toBe(false);
    sh('git push --quiet');
    const run = await publish(370, start + year);
    expect(run, run.log).toMatchObject({ results: published });
    await expectPublished('1.1.0');
  });
});
