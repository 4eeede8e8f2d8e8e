import { Ajv, type ValidateFunction } from 'ajv';
import * as fc from 'fast-check';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { zoneNames } from '../../src/catalogue/time/zone.ts';
import { sourceSchemas } from '../../src/readers/schema/source-schemas.ts';
import { editorSchemas } from '../setup/editor-schemas.ts';
import { readSubject } from '../../src/source/subject.ts';
import { sourceSubject } from '../faults/source-trees.ts';
import { readTree } from '../setup/folders.ts';
import { isPlainPattern, patternsIn } from '../setup/patterns.ts';
import { readSections } from '../setup/sections.ts';

const root = join(import.meta.dirname, '../..');
const data = readTree(join(root, 'data'));
const invalid = join(root, 'test/fixtures/invalid');

/** Validates as an editor does, but refuses unknown formats and keywords. */
const ajv = new Ajv({ strict: true, allErrors: true });
const validators = new Map(
  Array.from(editorSchemas(), ([name, text]) => [name, ajv.compile(JSON.parse(text) as object)]),
);

function validatorOf(name: string): ValidateFunction {
  const found = validators.get(name);
  if (found === undefined) throw new Error(`there is no schema ${name}`);
  return found;
}

/** Returns the kind of a source file by its name. */
function kindOf(path: string): string {
  const name = basename(path, '.json');
  if (name.endsWith('.source')) return 'source';
  if (name.endsWith('.columns')) return 'columns';
  return ['service', 'category', 'genre', 'collections'].includes(name) ? name : 'subject';
}

// `ALMANAC_UPDATE_GOLDEN=1 npm run test:cases -- test/source` writes the schemas.
test('data/.schemas contains the generated schemas', async () => {
  const folder = join(root, 'data/.schemas');
  for (const [name, text] of editorSchemas()) {
    await expect(text).toMatchFileSnapshot(join(folder, `${name}.schema.json`));
  }
  expect(readdirSync(folder).toSorted()).toEqual(
    [...editorSchemas().keys()].map((name) => `${name}.schema.json`).toSorted(),
  );
});

test('all patterns compile with and without the u flag', () => {
  for (const text of editorSchemas().values()) {
    const patterns = patternsIn(text);
    expect(patterns).not.toEqual([]);
    expect(patterns.filter((pattern) => !isPlainPattern(pattern))).toEqual([]);
  }
});

test('a character of two code units is valid with and without the u flag', () => {
  const { name } = (
    JSON.parse(editorSchemas().get('genre') ?? '') as { properties: { name: { pattern: string } } }
  ).properties;
  for (const flags of ['', 'u'])
    expect(new RegExp(name.pattern, flags).test('🌗 of the 🌗'), flags).toBe(true);
});

test('every file of data/ is valid according to the schema that it names', () => {
  for (const [path, bytes] of data) {
    if (!/^[^.].*\.json$/.test(path)) continue;
    const source = JSON.parse(bytes.toString()) as { $schema?: string };
    const [, kind] =
      /^\.schemas\/(\w+)\.schema\.json$/.exec(join(dirname(path), source.$schema ?? '')) ?? [];
    if (kind !== undefined) expect(validatorOf(kind)(source), path).toBe(true);
  }
});

/** Problems that a JSON Schema can detect. */
const detected = (
  'bad-base-url bad-ends bad-source-url bad-starts bad-value control-character empty-text ends-announced ' +
  'ends-imprecise incomplete-place missing-key outer-white-space text-too-long too-many-entries unknown-key ' +
  'wrong-type year-out-of-range'
).split(' ');

test('an editor underlines all files of exactly these cases', () => {
  const cases = readdirSync(invalid).map((file) => basename(file, '.txt'));
  const isUnderlined = (code: string): boolean => {
    const sections = readSections(join(invalid, `${code}.txt`));
    const lines = sections.get('expected.txt')?.split('\n') ?? [];
    const files = [...new Set(lines.map((line) => line.split(':')[0] ?? ''))].filter((file) =>
      file.endsWith('.json'),
    );
    return (
      files.length > 0 && files.every((file) => isRefused(kindOf(file), sections.get(file) ?? ''))
    );
  };
  expect(cases.filter(isUnderlined)).toEqual(detected);
});

function isRefused(kind: string, text: string): boolean {
  try {
    return !validatorOf(kind)(JSON.parse(text));
  } catch {
    return false;
  }
}

test('every existing zone is accepted', () => {
  expect(zoneNames.size).toBeGreaterThan(500);
  const isSubject = validatorOf('subject');
  const refused = [...zoneNames].filter(
    (zone) => !isSubject({ name: 'a', events: [{ title: 'a', starts: '2027-03-04T20:00', zone }] }),
  );
  expect(refused).toEqual([]);
});

/** Returns whether `almanac check` accepts a subject. */
function checkAccepts(value: unknown): boolean {
  const { success, data: subject } = sourceSchemas.subject.safeParse(value);
  return (
    success &&
    readSubject(subject, 'a', { id: 'a-b', name: 'A', category: 'b' }, { now: Infinity }).findings
      .length === 0
  );
}

/**
 * Returns whether no pattern can detect a problem, such as an invalid URL, or a control character
 * in a description.
 */
function isUndetectable({ code, expected, key }: Readonly<Record<string, unknown>> = {}): boolean {
  const isPatternless = [
    'bad-base-url',
    'control-character',
    'lone-surrogate',
    'unknown-zone',
  ].includes(String(code));
  return isPatternless || key === 'former id' || String(expected).includes('https://');
}

test('the schema accepts what the check accepts, and refuses what zod refuses, except URLs that only look valid', () => {
  const isSubject = validatorOf('subject');
  let accepted = 0;
  fc.assert(
    fc.property(sourceSubject, (value) => {
      const issues = sourceSchemas.subject.safeParse(value).error?.issues ?? [];
      const isPlain = issues.some(
        (issue) => !(issue.code === 'custom' && isUndetectable(issue.params)),
      );
      const isValid = isSubject(value);
      if (isPlain) expect(isValid).toBe(false);
      if (!checkAccepts(value)) return;
      accepted++;
      expect(isSubject.errors).toBeNull();
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(300);
});

test('the schema of a service accepts the base URLs that the check accepts', () => {
  const urls =
    'http://a HTTP://A/b/ https://u@a.org https://@a.org https://a?b https://a#b https://example.org/a';
  const services = urls.split(' ').map((base_url) => ({ name: 'A', license: 'B', base_url }));
  const accepted = services.filter((service) => sourceSchemas.service.safeParse(service).success);
  expect(accepted.length).toBeGreaterThan(1);
  expect(accepted.filter((service) => !validatorOf('service')(service))).toEqual([]);
});
