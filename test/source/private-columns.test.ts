import * as fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyGenre } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/* What a table does not publish is in no byte of the site, whatever its columns resemble. */

const now = ['--now', '2026-11-20T12:17:00Z'];

/** Imports a table, builds the site, and returns all of its bytes. */
async function publish(table: string): Promise<string> {
  const cwd = writeTree(tempFolder(), {
    ...emptyGenre('data/c/g', { zone: 'Europe/Berlin' }),
    'form.csv': table,
  });
  const imported = await runAlmanac(['import', 'form.csv', '--into', 'c/g', ...now], { cwd });
  expect(imported.stderr).toBe('');
  const build = ['build', '--base-url', 'https://dates.example', '--quiet', ...now];
  expect((await runAlmanac(build, { cwd })).stderr).toBe('');
  return [...readTree(join(cwd, 'dist'))]
    .map(([path, bytes]) => path + bytes.toString())
    .join('\n');
}

test('of the sheet of a form, the site has what was asked for the public, and nothing else', async () => {
  const site =
    await publish(`Zeitstempel;E-Mail-Adresse;Titel;Datum;Beginn;Ort;Ansprechperson;Telefon;Interne Anmerkung
20.11.2026 10:00:00;mia@example.org;Lesung;03.04.2027;19:00;Bücherei;Mia Muster;0171 2345678;nur für uns
21.11.2026 10:00:00;ole@example.org;Konzert;15.04.2027;20:00;Kirche;Ole Muster;030 123456;auch geheim
`);
  for (const text of ['Lesung', 'Konzert', 'Kirche']) expect(site).toContain(text);
  expect(site).not.toMatch(/mia|ole@|muster|2345678|123456;|nur f|geheim/i);
});

test('cells of columns whose names only resemble ours are in no byte of the site', async () => {
  const ours = ['Title', 'Location', 'Description', 'Organizer', 'Address', 'Tags', 'Link', 'Name'];
  const strange = [
    'email',
    'phone',
    '(internal)',
    'contact',
    'of the treasurer',
    'token',
    'for staff',
  ];
  const name = fc.tuple(fc.constantFrom(...ours), fc.constantFrom(...strange));
  const columns = fc.uniqueArray(
    name.map((words) => words.join(' ')),
    { minLength: 3, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(columns, async (names) => {
      const cells = names.map((_, index) => `Secret${index}word`);
      const site = await publish(
        `Title,Date,${names.join(',')}\nQuiz,2027-03-05,${cells.join(',')}\nRun,2027-03-06,${cells.join(',')}\n`,
      );
      expect(site).toContain('Quiz');
      expect(site).not.toMatch(/secret\d+word/i);
    }),
    { numRuns: 20 },
  );
});
