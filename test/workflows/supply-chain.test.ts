import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

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
const lock = readJson('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> };
const installed = Object.entries(lock.packages).filter(([path]) => path !== '');

test('the lock file has a hash of every package, and all come from the registry', () => {
  expect(installed.length).toBeGreaterThan(100);
  for (const [path, { integrity, resolved, link }] of installed) {
    expect([path, link, integrity]).toEqual([path, undefined, expect.stringMatching(/^sha512-[\w+/]{86}==$/)]);
    if (resolved !== undefined) expect(resolved).toMatch(/^https:\/\/registry\.npmjs\.org\//);
  }
});

test('every dependency has an exact version', () => {
  const { dependencies, devDependencies } = readJson('package.json') as Record<string, Record<string, string>>;
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    expect(lock.packages[`node_modules/${name}`]?.version).toBe(version);
  }
});

test('no package of a build has an installation script', () => {
  const scripted = installed.filter(([, { hasInstallScript, dev }]) => hasInstallScript === true && dev !== true);
  expect(scripted.map(([path]) => path)).toEqual([]);
});

interface Workflow {
  readonly on: object;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly permissions?: Readonly<Record<string, string>>; readonly steps?: { run?: string; uses?: string }[] }
    >
  >;
}
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name): [string, Workflow] => [
  name,
  parse(readFileSync(join(folder, name), 'utf8')) as Workflow,
]);

test('a pull request from a fork runs no job with write access', () => {
  const forPulls = workflows.filter(([, { on }]) => 'pull_request' in on);
  expect(forPulls.map(([name]) => name)).toContain('ci.yml');
  for (const [name, { on }] of workflows) {
    expect(on, name).not.toHaveProperty('pull_request_target');
    expect(on, name).not.toHaveProperty('workflow_run');
  }
  for (const [name, { jobs }] of forPulls) {
    for (const { permissions = {} } of Object.values(jobs))
      expect(Object.values(permissions), name).not.toContain('write');
  }
  expect(forPulls.map(([name]) => name)).not.toContain('publish.yml');
});

test('publishing installs without scripts and attests the origin of the site', () => {
  const [, publish] = workflows.find(([name]) => name === 'publish.yml') ?? [];
  const steps = Object.values(publish?.jobs ?? {}).flatMap((job) => job.steps ?? []);
  const installs = steps.map(({ run = '' }) => run).filter((run) => run.startsWith('npm ci'));
  expect(new Set(installs)).toEqual(new Set(['npm ci --ignore-scripts']));
  expect(steps.filter(({ uses = '' }) => uses.startsWith('actions/attest@'))).toHaveLength(1);
});
