import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { typeCheck } from '../setup/type-check.ts';

const root = join(import.meta.dirname, '../..');
const entry = join(root, 'lib/client/client.d.ts');

test('the types are one file that imports nothing', () => {
  expect(readFileSync(entry, 'utf8')).not.toMatch(/\b(?:from|import\()\s*'/);
});

const user = `
  import { ClientError, createClient, isUpcoming } from '${entry.replace('.d.ts', '.js')}';
  const client = createClient({ baseUrl: 'https://example.org', timeout: 1000, onStale: (age) => age.toFixed() });
  const { total, events } = await client.events({ genre: 'drama-tv', limit: 3 });
  const lines: string[] = events.map((event) => event.subject.name + (event.starts_local ?? event.date));
  const left: number = total - events.filter((event) => isUpcoming(event, new Date(0))).length;
  const version: 1 = (await client.index()).version;
  for await (const { state, title } of client.everything({ genre: 'drama-tv' })) lines.push(state + title);
  const since: string | null = (await client.changes()).since;
  const codes: boolean = new ClientError('network', '', '').code === 'network';
  export { lines, left, version, since, codes };
`;

test.each([
  ['without a platform', { types: [] }],
  ['in browsers', { types: [], lib: ['es2022', 'dom'] }],
  ['in Node', { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }],
])('the types compile %s, without skipLibCheck', (platform, options) => {
  const abort = 'void client.index({ signal: AbortSignal.timeout(1) });';
  const typed =
    'void createClient({ baseUrl: new URL("https://example.org"), fetch: globalThis.fetch });';
  const code = platform === 'without a platform' ? user : `${user}${abort}${typed}`;
  expect(typeCheck(code, { skipLibCheck: platform === 'in Node', ...options })).toBe('');
});

test('the types reject what the client rejects', () => {
  const wrong = `${user}void client.events({ genre: 5 }); void client.genres({ limit: 3 }); void events[0]?.end;
    export type { Connection } from '${entry.replace('.d.ts', '.js')}';`;
  expect(typeCheck(wrong, { types: [] }).match(/error TS\d+/g)).toHaveLength(4);
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
  const options = {
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    allowImportingTsExtensions: true,
  };
  expect(typeCheck(code, { ...options, lib: ['es2024'], skipLibCheck: true })).toBe('');
  const other = code.replace('published.EventRecord', 'published.GenreRecord');
  expect(typeCheck(other, { ...options, lib: ['es2024'], skipLibCheck: true })).toMatch(
    /^\S*user\.mts\(\d+,\d+\): error TS2322: [^\n]*\n$/,
  );
});
