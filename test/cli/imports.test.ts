import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/*
 * test/fixtures/imports/{case}.{csv,ics,json,yaml} is a file as people have it, and {case}.txt what
 * import says of it and what a build then publishes. The values were checked by hand.
 */
const folder = join(import.meta.dirname, '../fixtures/imports');
const files = readdirSync(folder).filter((file) => !file.endsWith('.txt'));

const times = ['date', 'end_date', 'starts_at', 'ends_at', 'zone', 'status'] as const;

interface Published extends Record<(typeof times)[number], string | null> {
  readonly title: string;
  readonly time_known: boolean;
  readonly location: { readonly name: string } | null;
  readonly subject: { readonly name: string };
}

test.each(files)('%s', async (file) => {
  const cwd = tempFolder();
  writeTree(cwd, {
    'data/service.json': { name: 'Town', license: 'CC0-1.0', zone: 'Europe/Berlin' },
    'data/town/category.json': { name: 'Town' },
    'data/town/dates/genre.json': { name: 'Dates' },
    [file]: readFileSync(join(folder, file)),
  });
  const now = ['--now', '2026-11-28T12:00:00Z'];
  const imported = await runAlmanac(['import', file, '--into', 'town/dates', ...now], { cwd });
  const said = [`exit ${imported.code}`, imported.stdout, imported.stderr];
  if (imported.code === 0) {
    const address = ['--base-url', 'https://example.org', '--no-flush', '--quiet'];
    const built = await runAlmanac(['build', ...address, ...now], { cwd });
    said.push(`build: exit ${built.code}`, built.stderr, publishedIn(join(cwd, 'dist')));
  }
  const text = `${said
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
  await expect(text).toMatchFileSnapshot(join(folder, `${parse(file).name}.txt`));
});

/** Returns each event on a line: what it is, when, where, and whose. */
function publishedIn(site: string): string {
  const path = join(site, 'api/v1/events.ndjson');
  if (!existsSync(path)) return '';
  const events = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Published);
  const rows = events.map((event) => {
    const texts = [event.title, event.subject.name, event.location?.name ?? '-'];
    const kind = event.time_known ? 'timed' : 'days';
    return [...texts, kind, ...times.map((field) => event[field] ?? '-')].join(' | ');
  });
  return rows.sort().join('\n');
}
