import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventSchema } from '../../src/api/schemas.ts';
import { abilities } from '../../src/hosts/host.ts';
import { hosts } from '../../src/hosts/table.ts';
import { tempFolder } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { blocksOf, pages, proseOf, readPage, root } from './pages.ts';

test('README.md has at most 120 lines', () => {
  expect(readPage('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

test.each([
  ['the pages for users', /^docs\/[^/]+\.md$/, 6, 7500],
  ['the internals', /^docs\/internals\//, 4, 5500],
  ['CONTRIBUTING.md', /CONTRIBUTING/, 1, 1500],
])('%s stay short', (_, path, mostPages, mostWords) => {
  const chosen = pages.filter((page) => path.test(page));
  expect(chosen.length).toBeLessThanOrEqual(mostPages);
  const words = chosen.flatMap((page) =>
    readPage(page)
      .split(/\s+/)
      .filter((word) => /\w/.test(word)),
  );
  expect(words.length).toBeLessThanOrEqual(mostWords);
});

test.each(pages)('the files that %s names exist', (page) => {
  const named = readPage(page).matchAll(/`((?:src|test|docs|\.github)\/[\w./-]+)`/g);
  expect(
    Array.from(named, ([, path = '']) => path).filter((path) => !existsSync(join(root, path))),
  ).toEqual([]);
});

test('docs/fetch.md names every field of an event', () => {
  const [, fields = ''] = readPage('docs/fetch.md').split('## Fields');
  const named = Array.from(fields.matchAll(/`(\w+)`/g), ([, name]) => name);
  expect(named).toEqual(Object.keys(eventSchema.shape));
});

test('README.md shows the home page', () => {
  expect(readPage('README.md')).toContain('](docs/home.png)');
});

test.each(pages)('the tables, lists and blocks of %s fit in 120 columns', (page) => {
  // A line that is one link may be longer: it cannot be broken.
  const tooLong = readPage(page)
    .split('\n')
    .filter((line) => line.length > 120 && !/^\S*https?:\S+$|^\[[\w-]+\]: \S+$/.test(line.trim()));
  expect(tooLong).toEqual([]);
});

describe('links', () => {
  test.each(pages)('of %s lead to files and headings that exist', (page) => {
    const links = Array.from(proseOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
    const broken = links.filter((link) => !/^(https?|mailto):/.test(link) && !resolves(page, link));
    expect(broken).toEqual([]);
  });
});

function resolves(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : posix.join(dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return Array.from(proseOf(page).matchAll(/^#+ (.*)$/gm), ([, heading = '']) => {
    const text = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '');
    return text.replaceAll(' ', '-');
  });
}

describe('commands', () => {
  test('with options that a page names exist', async () => {
    const cwd = tempFolder();
    const named = pages.filter((page) => page !== 'CHANGELOG.md').flatMap(commandsIn);
    expect(named.length).toBeGreaterThan(40);
    const wrong: string[] = [];
    const options = new Map<string, string[]>();
    for (const name of await commandNames()) {
      const { stdout } = await runAlmanac([name, '--help'], { cwd });
      options.set(name, [...common, ...(stdout.match(/(?<=^ +(?:-\w, )?)--[a-z-]+/gm) ?? [])]);
    }
    for (const { page, line, name, given } of named) {
      const known = options.get(name);
      if (known === undefined) wrong.push(`${page}: ${line}`);
      else if (!given.every((option) => known.includes(option))) wrong.push(`${page}: ${line}`);
    }
    expect(wrong).toEqual([]);
  });

  test('of npm that a page names are scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) => readPage(page).match(/(?<=\bnpm run (?:--silent )?)[a-z][a-z:-]*/g) ?? []);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

/** Every command accepts these. */
const common = ['--data', '--out', '--base-url', '--now', '--json', '--quiet', '--help'];

async function commandNames(): Promise<string[]> {
  const { stdout } = await runAlmanac(['--help'], { cwd: tempFolder() });
  const listed = stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm);
  return Array.from(listed, ([, name = '']) => name);
}

/** The lines of code of a page, fenced or in a sentence, that call almanac. */
function commandsIn(page: string) {
  const fenced = blocksOf(page).filter(({ language }) => language === 'sh');
  const lines = fenced.flatMap(({ code }) => code.split('\n'));
  const inline = Array.from(proseOf(page).matchAll(/`([^`\n]+)`/g), ([, code = '']) => code);
  return [...lines, ...inline].flatMap((line) => {
    const [, name, rest = ''] =
      /^(?:npx |npm run --silent )?almanac (?:-- )?([a-z]+)\b(.*)/.exec(line) ?? [];
    if (name === undefined) return [];
    return [{ page, line, name, given: rest.split(' #')[0]?.match(/(?<=\s)--[a-z-]+/g) ?? [] }];
  });
}

describe('hosts', () => {
  const text = readPage('docs/deploy.md');

  test('have a row for each feature, which says what it means', () => {
    const rows = Array.from(
      readPage('docs/internals/hosts.md').matchAll(/^\| (\S.*?) +\|/gm),
      ([, cell = '']) => cell,
    );
    for (const ability of Object.values(abilities))
      expect(rows.filter((cell) => cell === ability)).toHaveLength(1);
  });

  test.each(hosts)(
    '$title has a section that says what it was tested with',
    ({ name, title, testedWith }) => {
      const section = text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
      expect(section.replaceAll(/\s+/g, ' ')).toContain(`Tested with ${testedWith}.`);
      if (!/^(github-pages|s3)$/.test(name)) expect(section).toContain(`npx almanac host ${name}`);
    },
  );
});
