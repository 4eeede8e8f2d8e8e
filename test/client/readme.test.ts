import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engine, onPath } from '../setup/engines.ts';
import { lastingFolder, tempFolder } from '../setup/folders.ts';
import { listen, plainHost, type Listening } from '../setup/host.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/* The README's examples of fetching, run as they stand but for the address. */
const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const run = promisify(execFile);
const curl = engine('curl', () => onPath('curl'), 'apt-get install curl');
const jq = engine('jq', () => onPath('jq'), 'apt-get install jq');
let host: Listening;

beforeAll(async () => {
  const cwd = lastingFolder();
  const data = join(root, 'test/fixtures/client/data');
  const given = ['--now', '2026-11-20T12:17:00Z', '--base-url', 'https://example.org/almanac'];
  expect(await runAlmanac(['build', '--data', data, ...given], { cwd })).toMatchObject({ code: 0, stderr: '' });
  host = await listen(plainHost(join(cwd, 'dist')));
});
afterAll(async () => host.close());

/** The first block of a language after a text, with the address of the test's own site. */
function example(after: string, language: string): string {
  const [, rest = ''] = readme.split(after);
  const [, code] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(rest) ?? [];
  if (code === undefined) throw new Error(`the README has no ${language} after "${after}"`);
  return code.replaceAll('https://example.org/almanac', host.url);
}

/** Runs a module inside the package, where `almanac/client` is the package's own; the clock stands at the build. */
async function runModule(code: string): Promise<string> {
  mkdirSync(join(root, 'test/output'), { recursive: true });
  const folder = mkdtempSync(join(root, 'test/output/readme-'));
  try {
    const clock = `Date.now = () => Date.parse('2026-11-20T12:17:00Z');\n`;
    writeFileSync(join(folder, 'example.mjs'), clock + code);
    const { stdout, stderr } = await run(process.execPath, [join(folder, 'example.mjs')]);
    expect(stderr).toBe('');
    return stdout.replaceAll(/[^\S\n]/g, ' ');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(curl === null || jq === null)('a list, in a shell and in JavaScript', async () => {
  const { stdout } = await run('sh', ['-ec', example('## Fetch\n', 'sh')]);
  expect(stdout.split('\n')[0]).toBe('2026-11-21  Night Ferry: Premiere');
  expect((await runModule(example('## Fetch\n', 'js'))).split('\n')[0]).toBe('2026-11-21  Night Ferry: Premiere');
});

test('in a spreadsheet of Google', async () => {
  const text = await (await fetch(`${host.url}/api/v1/category/tv/events.json`)).text();
  const service = `const UrlFetchApp = { fetch: () => ({ getContentText: () => ${JSON.stringify(text)} }) };\n`;
  const rows = await runModule(
    `${service}${example('**Google Sheets**', 'js')}\nconsole.log(JSON.stringify(UPCOMING('')[0]));`,
  );
  expect(JSON.parse(rows)).toEqual(['2026-11-21', '', 'Night Ferry', 'Premiere', null]);
});

test('in Node', async () => {
  const lines = (await runModule(example('In Node, as `upcoming.mjs`:', 'js'))).trim().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^Drama: Night Ferry: Premiere, Saturday,? 21 November 2026$/);
  expect(lines[1]).toMatch(/^Drama: Night Ferry: Live reading, Tuesday,? 1 December 2026 at 20\S* GMT\+5:30$/);
  expect(lines[2]).toMatch(/^Drama: Severance: Season 3 premiere, Friday,? 15 January 2027 at 21:00 GMT-5$/);
});

test('in a web page', async () => {
  const page = `
    const lines = [];
    globalThis.document = {
      createElement: () => ({}),
      querySelector: () => ({ appendChild: (item) => (lines.push(item), item) }),
    };
    process.on('exit', () => console.log(lines.map((item) => item.textContent).join('\\n')));
  `;
  const lines = (await runModule(page + example('In a web page:', 'js'))).trim().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/: Night Ferry: Premiere$/);
});

test.skipIf(curl === null || jq === null)('in a shell', async () => {
  const cwd = tempFolder();
  const { stdout } = await run('sh', ['-ec', example('### From a shell or a spreadsheet', 'sh')], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ categories: 2, upcoming: 5 });
  expect(readFileSync(join(cwd, 'upcoming.csv'), 'utf8').split('\n').slice(0, 2)).toEqual([
    '"2026-11-21","","Night Ferry","Premiere",',
    '"2026-12-01","2026-12-01T14:30:00.000Z","Night Ferry","Live reading",',
  ]);
  expect(JSON.parse(readFileSync(join(cwd, 'events.json'), 'utf8'))).toMatchObject({ total: 5 });
});
