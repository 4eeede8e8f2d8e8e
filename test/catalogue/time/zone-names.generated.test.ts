import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

const generated = '../../../src/catalogue/time/zone-names.generated.ts';

/** `npm run generate` writes the file; the database itself takes longer to load than a small catalogue to read. */
test('the names of zones are those of the database', async () => {
  const { zones } = createRequire(import.meta.url)('tzdata') as { zones: Record<string, unknown> };
  const names = Object.keys(zones)
    .filter((name) => name.includes('/'))
    .sort();
  expect(names.length).toBeGreaterThan(500);
  const text = [
    '/** The names of the time zone database that have a slash, links included. Written by `npm run generate`. */',
    'export const databaseZones: readonly string[] = [',
    ...names.map((name) => `  '${name}',`),
    '];',
    '',
  ].join('\n');
  await expect(text).toMatchFileSnapshot(generated);
});
