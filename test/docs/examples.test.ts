import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildSite, type Events } from '../setup/build-site.ts';
import { engine, onPath } from '../setup/engines.ts';
import { lastingFolder, tempFolder, writeTree } from '../setup/folders.ts';
import { frozenClock } from '../setup/clock.ts';
import { almanac, runAlmanac } from '../setup/run-almanac.ts';
import { serveFolder } from '../setup/serve-folder.ts';
import { blocksOf, blocksUnder, pages, readPage, root, type Block } from './pages.ts';
import { copyStarter, documentedAddress, isStarter, now, previewStarter } from './preview.ts';

/*
 * Runs the examples of the documentation: every block of sh, js, python and kotlin whose fence does
 * not say "not-run". A block of text that follows is what the example prints; a last line "…"
 * stands for more lines. A preview of the starter catalogue answers them, and all clocks stand at
 * `now`. Debian has no Swift, so nothing runs that program.
 */
const run = promisify(execFile);
const curl = engine('curl', () => onPath('curl'), 'apt-get install curl');
const jq = engine('jq', () => onPath('jq'), 'apt-get install jq');
const python = engine('Python', () => onPath('python3'), 'apt-get install python3');
const jsonLibrary = '/usr/share/java/com.android.json.jar';
const kotlin = engine(
  'Kotlin',
  () => (existsSync(jsonLibrary) ? onPath('kotlinc') : null),
  'apt-get install kotlin default-jre-headless libandroid-json-java',
);

interface Example extends Block {
  /** Null if the page promises nothing. */
  readonly output: string | null;
}

const isRunnable: Readonly<Record<string, boolean>> = {
  sh: curl !== null && jq !== null,
  js: true,
  python: python !== null,
  kotlin: kotlin !== null,
};

/** The same questions in five languages: what each program prints, and the programs. */
const [answers, ...inLanguages] = blocksUnder('docs/fetch.md', 'Five questions in five languages');

const examples = pages.filter((page) => /^(README|docs\/.*)\.md$/.test(page)).flatMap(examplesOf);
const programs = lastingFolder();
const starter = lastingFolder();
let address: string;

beforeAll(async () => {
  writePrograms();
  copyStarter(starter);
  if (isStarter) address = await previewStarter(starter);
});

function examplesOf(page: string): Example[] {
  const text = readPage(page);
  const blocks = blocksOf(page);
  const all = blocks.map((block, index): Example => {
    const next = blocks[index + 1];
    const end = block.line + block.code.split('\n').length;
    const follows =
      next?.language === 'text' &&
      text
        .split('\n')
        .slice(end, next.line - 1)
        .join('')
        .trim() === '';
    const isAnswer = inLanguages.some(({ line }) => page === answers?.page && line === block.line);
    return { ...block, output: isAnswer ? (answers?.code ?? null) : follows ? next.code : null };
  });
  return all.filter(
    ({ language, note }) => Object.hasOwn(isRunnable, language) && note !== 'not-run',
  );
}

describe.skipIf(!isStarter)('examples', () => {
  test('are found', () => {
    expect(new Set(examples.map(({ language }) => language))).toEqual(
      new Set(Object.keys(isRunnable)),
    );
    expect(examples.filter(({ output }) => output !== null).length).toBeGreaterThan(5);
  });

  for (const example of examples) {
    const { page, line, language, output } = example;
    test.skipIf(!isRunnable[language])(`${page}:${line} runs`, async () => {
      const printed = await runExample(example);
      if (output === null) return;
      const [promised, shown] = [output.replaceAll(documentedAddress, address), printed].map(
        (text) => text.trimEnd().split('\n').map(plain),
      );
      if (promised?.at(-1) === '…')
        expect(shown?.slice(0, promised.length - 1)).toEqual(promised.slice(0, -1));
      else expect(shown).toEqual(promised);
    });
  }

  test('every address of the interface that a page names is answered with 200', async () => {
    const named = ['README.md', 'docs/fetch.md', 'docs/deploy.md'].flatMap((page) =>
      Array.from(
        readPage(page).matchAll(/(?<=[`/])api\/v1(?:\/[^`\s"'){…$\\]*)?(?=[`\s"')])/g),
        ([path]) => path,
      ),
    );
    expect(named.length).toBeGreaterThan(40);
    const answers = await Promise.all(
      [...new Set(named)].map(
        async (path) => `${(await fetch(`${address}/${path}`)).status} ${path}`,
      ),
    );
    expect(answers.filter((answer) => !answer.startsWith('200 '))).toEqual([]);
  });
});

test('every source file that a page shows is valid', async () => {
  const shown = [
    'README.md',
    'docs/sources.md',
    'docs/sheet-and-calendar.md',
    'data/README.md',
  ].flatMap(blocksOf);
  const subjects = shown.filter(
    ({ language, code }) => language === 'json' && code.includes('"events"'),
  );
  const sources = shown.filter(
    ({ language, code }) => language === 'json' && code.includes('"format"'),
  );
  const tables = shown.filter(({ language }) => language === 'csv');
  const mappings = shown.filter(
    ({ language, code }) => language === 'json' && /^\{\s*"columns"/.test(code),
  );
  expect([subjects.length, sources.length, tables.length, mappings.length]).toEqual([4, 4, 2, 1]);
  const files = [
    ...named(subjects, 'json'),
    ...named(sources, 'source.json'),
    ...named(tables, 'csv'),
  ];
  files.push(['data/tv/drama/csv-1.columns.json', mappings[0]?.code ?? '']);
  const cwd = writeTree(tempFolder(), {
    'data/service.json': { name: 'Pages', license: 'Free.', base_url: 'https://example.org' },
    'data/tv/category.json': { name: 'Television' },
    'data/tv/drama/genre.json': { name: 'Drama' },
    ...Object.fromEntries(files),
  });
  const stderr = expect.stringMatching(
    /^(warning: \S+\.source\.json:1:1: found no copy of .*\n){4}$/,
  );
  expect(await runAlmanac(['check', '--now', now], { cwd })).toMatchObject({ code: 0, stderr });
});

function named(blocks: readonly Block[], ending: string): [string, string][] {
  return blocks.map(({ code }, index) => [
    `data/tv/drama/${ending.replace('.', '-')}-${index}.${ending}`,
    code,
  ]);
}

test('five languages answer the same questions', () => {
  expect(inLanguages.map(({ language }) => language)).toEqual([
    'js',
    'python',
    'swift',
    'kotlin',
    'sh',
  ]);
});

test('the program that nothing runs decodes fields that events and changes have', async () => {
  const swift = inLanguages.find(({ language }) => language === 'swift')?.code ?? '';
  const decoded = Array.from(
    swift.matchAll(/^struct (\w+): Decodable \{(.*)\}$/gm),
    ([, name = '', body = '']) => {
      const fields = body.matchAll(/let ([\w, ]+):/g);
      return [name, Array.from(fields, ([, names = '']) => names.split(', ')).flat()] as const;
    },
  );
  expect(decoded.map(([name]) => name)).toEqual([
    'Subject',
    'Event',
    'Change',
    'Events',
    'Changes',
  ]);
  const folder = await buildSite({ 'civics/polls/city': { Poll: '2027-01-15' } }, now);
  const text = readFileSync(join(folder, 'api/v1/openapi.json'), 'utf8');
  const { components } = JSON.parse(text) as {
    components: { schemas: Record<string, { properties: object }> };
  };
  for (const [name, fields] of decoded) {
    const known = Object.keys(components.schemas[name]?.properties ?? {});
    const snakeCase = fields.map((field) =>
      field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
    expect([name, snakeCase.filter((field) => !known.includes(field))]).toEqual([name, []]);
  }
});

/** Returns a function that builds a site on a day, and returns what the program prints of it. */
function follower(language: string) {
  const [site, cwd] = [tempFolder(), tempFolder()];
  const code = inLanguages.find((block) => block.language === language)?.code ?? '';
  let asked: string | null = null;
  return async (day: number, events: Events): Promise<string[]> => {
    const night = new Date(Date.parse(now) + day * 86_400_000).toISOString();
    await buildSite(events, night, { cwd: site });
    asked ??= code.replaceAll(documentedAddress, await serveFolder(join(site, 'dist')));
    const lines = (await runners[language]?.(asked, cwd))?.trimEnd().split('\n') ?? [];
    return lines.filter((line) => line !== '' && !/^(\d|  http)/.test(line));
  };
}

describe.each(['js', 'python', 'kotlin', 'sh'])(
  'the program in %s that follows what changes',
  (language) => {
    test.skipIf(!isRunnable[language])('prints each change once', async () => {
      const printedOn = follower(language);
      const poll = { Poll: '2027-01-15' };
      expect(await printedOn(0, { 'civics/polls/city': poll })).toEqual(['fetch every event']);
      const [added, moved] = [{ Count: '2027-02-01' }, { Poll: '2027-01-08' }];
      expect(await printedOn(1, { 'civics/polls/city': { ...poll, ...added } })).toEqual([
        'added: city: Count',
      ]);
      expect(await printedOn(2, { 'civics/polls/city': { ...poll, ...added } })).toEqual([]);
      expect(await printedOn(3, { 'civics/polls/city': moved })).toEqual([
        'moved: city: Poll',
        'removed: city: Count',
      ]);
    });

    test.skipIf(!isRunnable[language])('says that it missed some of 2,500 changes', async () => {
      const follow = follower(language);
      const many = (count: number, date: string): Record<string, string> =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`E ${index}`, date]));
      await follow(0, { 'civics/polls/city': many(3000, '2027-01-15') });
      expect(await follow(1, { 'civics/polls/city': many(2500, '2027-01-15') })).toHaveLength(500);
      const moved = { 'civics/polls/city': many(100, '2027-01-16') };
      expect(await follow(2, moved)).toEqual(['fetch every event']);
      expect(await follow(3, moved)).toEqual([]);
    });
  },
);

async function runExample({ language, code }: Block): Promise<string> {
  const text = code.replaceAll(documentedAddress, address);
  return runners[language]?.(text) ?? Promise.reject(new Error(`no program runs ${language}`));
}

const runners: Readonly<Record<string, (code: string, cwd?: string) => Promise<string>>> = {
  sh: runShell,
  js: runScript,
  python: runPython,
  kotlin: runKotlin,
};

/** Runs a module inside the package, where `almanac/client` is the package's own. */
async function runScript(code: string, cwd = tempFolder()): Promise<string> {
  const output = join(root, 'test/.output');
  mkdirSync(output, { recursive: true });
  const folder = mkdtempSync(join(output, 'example-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'example.mjs');
  writeFileSync(file, `Date.now = () => ${Date.parse(now)};\n${code}`);
  return printed(await run(process.execPath, [file], { cwd }));
}

async function runPython(code: string, cwd = tempFolder()): Promise<string> {
  writeTree(cwd, { 'example.py': code });
  return printed(
    await run('python3', ['example.py'], { cwd, env: { ...process.env, PYTHONPATH: programs } }),
  );
}

/** Where programs in Kotlin were compiled, by their text. */
const compiled = new Map<string, string>();

async function runKotlin(code: string, cwd = tempFolder()): Promise<string> {
  const known = compiled.get(code);
  const folder = known ?? lastingFolder();
  if (known === undefined) {
    writeTree(folder, {
      'example.kt': code.replaceAll('Instant.now()', `Instant.parse("${now}")`),
    });
    await run(kotlin ?? '', ['example.kt', '-cp', jsonLibrary, '-d', folder], { cwd: folder });
    compiled.set(code, folder);
  }
  const path = [folder, '/usr/share/java/kotlin-stdlib.jar', jsonLibrary].join(':');
  return printed(await run('java', ['-cp', path, 'ExampleKt'], { cwd }));
}

/** Runs a script in a folder with the starter catalogue in `data/`. */
async function runShell(code: string, cwd = tempFolder()): Promise<string> {
  if (!existsSync(join(cwd, 'data'))) symlinkSync(join(starter, 'data'), join(cwd, 'data'));
  const env = { PATH: programs, ...frozenClock(Date.parse(now)) };
  const { stdout } = await run('/bin/sh', ['-ec', code], { cwd, env });
  return stdout;
}

function printed({ stdout, stderr }: { stdout: string; stderr: string }): string {
  expect(stderr).toBe('');
  return stdout;
}

/** Releases of ICU differ in the comma after a weekday. */
function plain(line: string): string {
  return line.replace(/^(\w+day),/, '$1');
}

/**
 * Writes the programs that a shell example can run, and no others: it could publish something. npx
 * runs the compiled command, and clocks stand still.
 */
function writePrograms(): void {
  for (const name of ['curl', 'jq', 'mkdir', 'cp', 'head']) {
    const path = onPath(name);
    if (path !== null) symlinkSync(path, join(programs, name));
  }
  const scripts = {
    npx: `[ "$1" = wrangler ] || { [ "$1" = almanac ] && shift && exec '${process.execPath}' '${almanac}' "$@"; }`,
    // The tests of the hosts run these with the same files.
    node: '[ -f "$1" ]',
    caddy: '[ "$1" = run ] && [ -f Caddyfile ]',
    date: `[ "$*" = '-u +%FT%T' ] && echo ${now.slice(0, -1)}`,
  };
  for (const [name, line] of Object.entries(scripts)) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(programs, name), 0o755);
  }
  const clock = `
import datetime


class StoppedClock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(${Date.parse(now) / 1000}, tz)


datetime.datetime = StoppedClock
`;
  writeFileSync(join(programs, 'sitecustomize.py'), clock);
}
