import { Ajv } from 'ajv';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const names = ['service', 'category', 'genre', 'subject', 'naming', 'columns', 'source', 'collections'];

test('schema NAME prints the schema of one kind of file', async () => {
  for (const name of names) {
    const run = await runAlmanac(['schema', name], { cwd: tempFolder() });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toBe(readFileSync(`data/.schemas/${name}.schema.json`, 'utf8'));
  }
});

test('schema prints all schemas in one document', async () => {
  const run = await runAlmanac(['schema', '--json'], { cwd: tempFolder() });
  const schemas = JSON.parse(run.stdout) as Record<string, object>;
  expect(Object.keys(schemas).toSorted()).toEqual(names.toSorted());
  const { stdout: help } = await runAlmanac(['schema', '--help'], { cwd: tempFolder() });
  expect(names.filter((name) => !help.includes(name))).toEqual([]);
  for (const schema of Object.values(schemas)) expect(() => new Ajv({ strict: true }).compile(schema)).not.toThrow();
});

test('schema form prints YAML or, with --json, one document with the same text', async () => {
  const cwd = tempFolder();
  const { stdout: text } = await runAlmanac(['schema', 'form'], { cwd });
  expect(text).toMatch(/^name: /m);
  const { code, stdout } = await runAlmanac(['schema', 'form', '--json'], { cwd });
  expect([code, JSON.parse(stdout)]).toEqual([0, { ok: true, text }]);
});

test('schema --write writes them to the data folder, or to the folder that it is given', async () => {
  const cwd = tempFolder();
  const written = Object.keys(Object.fromEntries(readTree('data/.schemas')));
  const run = await runAlmanac(['schema', '--write'], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain('data/.schemas');
  expect([...readTree(join(cwd, 'data/.schemas'))]).toEqual([...readTree('data/.schemas')]);

  const other = await runAlmanac(['schema', '--write', 'there', '--json'], { cwd });
  expect(JSON.parse(other.stdout)).toEqual({ ok: true, files: expect.any(Array) });
  expect([...readTree(join(cwd, 'there')).keys()]).toEqual(written);

  const ofData = await runAlmanac(['schema', '--write', '--data', 'drafts', '--quiet'], { cwd });
  expect(ofData).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(existsSync(join(cwd, 'drafts/.schemas/subject.schema.json'))).toBe(true);
});

test('an unknown name is wrong usage, and the message proposes the nearest one', async () => {
  const run = await runAlmanac(['schema', 'subjects'], { cwd: tempFolder() });
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain('did you mean subject?');
  expect(await runAlmanac(['schema', 'subject', '--write'], { cwd: tempFolder() })).toMatchObject({
    code: 2,
    stdout: '',
  });
});

test('a folder that is not writable is a problem', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'data'), 'a file');
  const run = await runAlmanac(['schema', '--write', '--json'], { cwd });
  expect(run).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, problems: [{ code: 'schemas-not-written' }] });
});

test.each(['data', 'data/.schemas'])(
  'schema --write does not write through a link at %s below the data folder',
  async (path) => {
    const cwd = writeTree(tempFolder(), { 'outside/service.schema.json': 'mine', 'data/x': '' });
    if (path === 'data') symlinkSync('../outside/service.schema.json', join(cwd, 'data/service.schema.json'));
    else symlinkSync('../outside', join(cwd, path));
    const run = await runAlmanac(['schema', '--write', ...(path === 'data' ? ['data'] : [])], { cwd });
    if (path === 'data') expect(run).toMatchObject({ code: 0 });
    else expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('.schemas is a symbolic link') });
    expect(readFileSync(join(cwd, 'outside/service.schema.json'), 'utf8')).toBe('mine');
  },
);
