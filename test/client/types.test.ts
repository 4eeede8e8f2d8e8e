import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { typeCheck } from '../setup/type-check.ts';

const root = join(import.meta.dirname, '../..');
const entry = join(root, 'lib/client/index.d.ts');

/** Returns the imports of a declaration file and of the files that it imports. */
function importsOf(file: string, found = new Set<string>()): Set<string> {
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import\()\s*'([^']+)'/g)) {
    if (found.has(path)) continue;
    found.add(path);
    if (path.startsWith('.')) importsOf(join(dirname(file), path.replace(/\.ts$/, '.d.ts')), found);
  }
  return found;
}

test('the types import no package', () => {
  const imports = [...importsOf(entry)];
  expect(imports).toContain('../api/documents.ts');
  expect(imports.filter((path) => !path.startsWith('.'))).toEqual([]);
});

const user = `
  import { ClientError, createClient, isUpcoming, renderWhen } from '${entry.replace('.d.ts', '.js')}';
  const client = createClient({ baseUrl: 'https://example.org', timeout: 1000, onStale: (age) => age.toFixed() });
  const { total, events } = await client.events({ genre: 'drama-tv', limit: 3 });
  const lines: string[] = events.map((event) => event.subject.name + renderWhen(event, 'en', event.zone));
  const left: number = total - events.filter((event) => isUpcoming(event, new Date(0))).length;
  const version: 1 = (await client.index()).version;
  const codes: boolean = new ClientError('network', '', '').code === 'network';
  export { lines, left, version, codes };
`;

test.each([
  ['without a platform', { types: [] }],
  ['in browsers', { types: [], lib: ['es2022', 'dom'] }],
  ['in Node', { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }],
])('the types compile %s, without skipLibCheck', (platform, options) => {
  const abort = 'void client.index({ signal: AbortSignal.timeout(1) });';
  const typed = 'void createClient({ baseUrl: new URL("https://example.org"), fetch: globalThis.fetch });';
  const code = platform === 'without a platform' ? user : `${user}${abort}${typed}`;
  expect(typeCheck(code, { skipLibCheck: platform === 'in Node', ...options })).toBe('');
});

test.each([
  ['without a platform', { types: [] }],
  ['in browsers', { types: [], lib: ['es2022', 'dom'] }],
])('the types that a site serves are one file, and compile %s', (_, options) => {
  const file = join(root, 'lib/bundle/client/index.d.ts');
  expect([...importsOf(file)]).toEqual([]);
  const address = 'https://example.org/assets/client.js';
  const documents = `import type { ChangesDocument, SubjectsDocument } from '${address}';
    export const since = (changes: ChangesDocument) => changes.since;
    export const subjects: SubjectsDocument = await client.subjects({ category: 'tv' });`;
  const code = user.replace(entry.replace('.d.ts', '.js'), address) + documents;
  const paths = { [address]: [file] };
  expect(typeCheck(code, { skipLibCheck: false, ...options, paths })).toBe('');
  const wrong = `${code} void client.events({ genre: 5 }); void client.requestOptionsOf;`;
  expect(typeCheck(wrong, { ...options, paths }).match(/error TS\d+/g)).toHaveLength(2);
});

test('the types reject what the client rejects', () => {
  const wrong = `${user}void client.events({ genre: 5 }); void client.genres({ limit: 3 }); void events[0]?.end;`;
  expect(typeCheck(wrong, { types: [] }).match(/error TS\d+/g)).toHaveLength(3);
});

test('the types of the documents are those of their schemas', () => {
  const names = [
    'CategoriesDocument',
    'CategoryRecord',
    'ChangesDocument',
    'EventRecord',
    'EventsDocument',
    'GenreRecord',
    'GenresDocument',
    'SubjectsDocument',
  ];
  // The schemas name types of the catalogue, which reads the names of zones.
  const code = `
    import type * as published from '${entry.replace('.d.ts', '.js')}';
    import type * as inferred from '${join(root, 'src/api/documents.ts')}';
    type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
    type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
    ${[...names, 'IndexDocument'].map((name) => `export const same${name}: Same<Plain<published.${name}>, Plain<inferred.${name}>> = true;`).join('\n')}
  `;
  const options = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')], allowImportingTsExtensions: true };
  expect(typeCheck(code, { ...options, lib: ['es2024'], skipLibCheck: true })).toBe('');
  const other = code.replace('published.EventRecord', 'published.GenreRecord');
  expect(typeCheck(other, { ...options, lib: ['es2024'], skipLibCheck: true })).toMatch(
    /^\S*user\.mts\(\d+,\d+\): error TS2322: [^\n]*\n$/,
  );
});
