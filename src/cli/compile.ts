import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keepCompiled } from './compiled.ts';

/*
 * The end of `npm run compile`: makes the program one that `npx almanac` can start, builds a small catalogue, so that V8
 * compiles what a build runs, and keeps that.
 */

const catalogue = {
  'service.json': { name: 'Almanac', license: 'None' },
  'tv/category.json': { name: 'Television' },
  'tv/drama/genre.json': { name: 'Drama' },
  'tv/drama/ferry.json': {
    name: 'Night Ferry, or “Überfahrt”',
    url: 'https://example.org/ferry',
    events: [
      { title: 'Premiere', starts: '2027-01-15T21:00', zone: 'America/New_York' },
      { title: 'Repeat', starts: '2027-03-15T21:00:30Z', zone: 'Europe/Paris', url: 'https://example.org/repeat' },
      { title: 'Première à “Bücherhaus”', starts: '2027-01-16', zone: 'Asia/Tokyo' },
      { title: 'Last episode', starts: '2027-02', id: 'last' },
    ],
  },
};

// npx makes it executable the first time it links to it, and never again.
chmodSync(join(import.meta.dirname, 'main.js'), 0o755);

const folder = mkdtempSync(join(import.meta.dirname, 'compile-'));
const keep = keepCompiled(import.meta.dirname);
void build().finally(() => rmSync(folder, { recursive: true }));

async function build(): Promise<void> {
  for (const [path, content] of Object.entries(catalogue)) {
    mkdirSync(join(folder, 'data', dirname(path)), { recursive: true });
    writeFileSync(join(folder, 'data', path), `${JSON.stringify(content, null, 2)}\n`);
  }
  const { run } = await import('./program.ts');
  const options = ['--quiet', '--base-url', 'https://example.org', '--now', '2026-11-20T12:17:00Z'];
  process.exitCode = await run({
    args: ['build', ...options],
    env: {},
    cwd: folder,
    clock: () => 0,
    stopwatch: () => 0,
    ended: () => new Promise(() => {}),
    stdout: process.stdout,
    stderr: process.stderr,
  });
  keep();
}
