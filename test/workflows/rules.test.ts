import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf } from '../docs/pages.ts';
import {
  lintWorkflow,
  readWorkflow,
  scriptOf,
  workflowFolder,
  type Step,
} from '../setup/workflows.ts';

const root = resolve(import.meta.dirname, '../..');
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

interface Locked {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: true;
  readonly link?: true;
  readonly hasInstallScript?: true;
}
const lock = readJson('package-lock.json') as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const installed = Object.entries(lock.packages).filter(([path]) => path !== '');

test('the lock file has a hash of every package, and all come from the registry', () => {
  expect(installed.length).toBeGreaterThan(100);
  for (const [path, { integrity, resolved, link }] of installed) {
    expect([path, link, integrity]).toEqual([
      path,
      undefined,
      expect.stringMatching(/^sha512-[\w+/]{86}==$/),
    ]);
    if (resolved !== undefined) expect(resolved).toMatch(/^https:\/\/registry\.npmjs\.org\//);
  }
});

test('every dependency has an exact version', () => {
  const { dependencies, devDependencies } = readJson('package.json') as Record<
    string,
    Record<string, string>
  >;
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    expect(lock.packages[`node_modules/${name}`]?.version).toBe(version);
  }
});

test('no package of a build has an installation script', () => {
  const scripted = installed.filter(
    ([, { hasInstallScript, dev }]) => hasInstallScript === true && dev !== true,
  );
  expect(scripted.map(([path]) => path)).toEqual([]);
});

const files = readdirSync(workflowFolder);
const textOf = (file: string): string => readFileSync(join(workflowFolder, file), 'utf8');
const workflows = files.map((name) => [name, readWorkflow(name)] as const);
const jobs = workflows.flatMap(([file, { jobs: ofFile }]) =>
  Object.entries(ofFile).map(([name, { permissions = {}, steps = [] }]) => ({
    name: `${file} ${name}`,
    mayWrite: Object.values(permissions).includes('write'),
    runsPackages: steps.some(({ run = '' }) =>
      /\bnpm (ci|cit|install|exec|run|test)\b|\bnpx\b|\.ci\//.test(run),
    ),
    keepsCredentials: steps.some(
      (step) => step.uses?.startsWith('actions/checkout@') && !isReadOnly(step),
    ),
  })),
);

/** Whether a checkout leaves no credentials in the clone. */
function isReadOnly({ with: options = {} }: Step): boolean {
  return 'persist-credentials' in options && options['persist-credentials'] === false;
}

test('no job that may write runs packages', () => {
  expect(jobs.filter(({ runsPackages }) => runsPackages).length).toBeGreaterThan(6);
  expect(jobs.filter(({ mayWrite, runsPackages }) => mayWrite && runsPackages)).toEqual([]);
  expect(jobs.filter(({ keepsCredentials }) => keepsCredentials).map(({ name }) => name)).toEqual([
    'announce.yml propose',
  ]);
});

test('a release publishes the package that a job without permissions made', () => {
  const { pack, publish } = readWorkflow('release.yml').jobs;
  expect([pack, publish]).toMatchObject([
    { needs: 'check', permissions: { contents: 'read' } },
    { needs: 'pack' },
  ]);
  const [made, taken] = [pack, publish].map((job) =>
    job?.steps?.find(({ uses = '' }) => uses.includes('load-artifact@')),
  );
  expect([made?.with, taken?.with]).toMatchObject([
    { name: 'release', path: 'release' },
    { name: 'release' },
  ]);
  expect(publish?.steps?.flatMap(({ run = [] }) => run)).toEqual([
    'for file in ./*.tgz; do npm publish --ignore-scripts --provenance --access public "$file"; done',
    expect.stringMatching(/^gh release create .* \.\/\*\.tgz$/),
  ]);
});

/** The workflows that guides show, by page. */
const inGuides = blocksOf('docs/internals/hosts.md').flatMap(
  ({ page, language, code }): [string, string][] => (language === 'yaml' ? [[page, code]] : []),
);

/** The workflows, and the jobs that `almanac host` writes, by path. */
const jobFiles = ['.github/workflows', 'src/hosts'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ya?ml$/.test(path))
    .map((path): [string, string] => [path, readFileSync(join(root, folder, path), 'utf8')]),
);

test.each([...inGuides, ...jobFiles])(
  '%s pins the containers and actions that it runs',
  (_, text) => {
    for (const [, image] of text.matchAll(/\bimage: (\S+)/g)) {
      // The image of the user.
      if (image !== 'registry.example/{{name}}')
        expect(image).toMatch(/^[a-z./]+:24-\w+@sha256:[0-9a-f]{64}$/);
    }
    for (const [, action = '', version] of text.matchAll(/uses: ([^.\s]\S*)(.*)/g)) {
      expect([action, version]).toEqual([
        expect.stringMatching(/@[0-9a-f]{40}$/),
        expect.stringMatching(/^ # v\d+\.\d+\.\d+$/),
      ]);
    }
  },
);

test('a pull request from a fork runs no job with write access', () => {
  const forPulls = workflows.filter(([, { on }]) => 'pull_request' in on);
  expect(forPulls.map(([name]) => name)).toContain('ci.yml');
  for (const [name, { on }] of workflows) {
    expect(on, name).not.toHaveProperty('workflow_run');
  }
  for (const [name, { jobs: ofFile }] of forPulls) {
    for (const { permissions = {} } of Object.values(ofFile))
      expect(Object.values(permissions), name).not.toContain('write');
  }
  expect(forPulls.map(([name]) => name)).not.toContain('publish.yml');
});

test('the workflows of catalogues install without scripts', () => {
  for (const name of ['announce.yml', 'publish.yml', 'pull-request.yml']) {
    const steps = Object.values(readWorkflow(name).jobs).flatMap((job) => job.steps ?? []);
    const installs = steps
      .map(({ run = '' }) => run)
      .filter((run) => /^npm (ci|install)/.test(run));
    expect([name, ...new Set(installs)]).toEqual([name, 'npm ci --ignore-scripts']);
  }
});

test('the workflows pass the linter', async () => {
  expect(inGuides).toHaveLength(1);
  const texts = [...inGuides, ...files.map((file) => [file, textOf(file)] as const)];
  expect(
    (await Promise.all(texts.map(async ([file, text]) => lintWorkflow(text, file)))).flat(),
  ).toEqual([]);
});

test.each(files)('%s: least permissions and a time limit for every job', (file) => {
  const { on, permissions, jobs } = readWorkflow(file);
  expect(permissions).toEqual({});
  expect(on).not.toHaveProperty('pull_request_target');
  for (const [name, job] of Object.entries(jobs)) {
    expect(job.permissions, name).toBeDefined();
    expect(job['timeout-minutes'], name).toBeGreaterThan(0);
    for (const { run } of job.steps ?? [])
      expect(run ?? '', 'values come in as variables').not.toContain('${{');
  }
});

test('a label of a maintainer starts an announcement, and the body is that of its event', () => {
  const { on, jobs } = readWorkflow('announce.yml');
  expect(on).toMatchObject({ issues: { types: ['labeled'] } });
  expect(jobs['read']).toMatchObject({
    if: "github.event.label.name == 'accepted'",
    permissions: { contents: 'read' },
  });
  const body = scriptOf('announce.yml', 'read', 'Change the data');
  expect(body).toContain('.issue.body // ""\' "$GITHUB_EVENT_PATH"');
  expect(textOf('announce.yml')).not.toMatch(/gh (api|issue view)/);
});

test('a release publishes by OpenID Connect with provenance, after all checks and without a token', () => {
  const { jobs } = readWorkflow('release.yml');
  expect(jobs['publish']?.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
  expect(scriptOf('release.yml', 'check', 'Run every check')).toBe('.ci/run');
  expect(textOf('release.yml')).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN|secrets\./);
});
