import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { isUpdate } from '../setup/golden.ts';
import { plainHost } from '../setup/host.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { decode, encode } from '../setup/sections.ts';
import { serve } from '../setup/serve-folder.ts';

/*
 * test/fixtures/sessions/{command}.txt shows what people type and what they see. The line `==
 * title` begins a case, the line `-- path --` a file, and `$` a command: almanac with its
 * variables, arguments and `< file` for stdin, or cat or rm. What the command prints follows, on
 * stderr after `!`, with its exit code and the codes of its problems if it fails, and then the
 * paths that it added (+), changed (~) and removed (-). Files before the first case are part of
 * all. The folder `http` is served at http://host. With ALMANAC_UPDATE_GOLDEN=1 the answers are
 * written again: read the difference.
 */
const folder = join(import.meta.dirname, '../fixtures/sessions');
const now = ['--now', '2026-11-20T12:17:00Z'];
const readsTheClock = new Set(['import', 'check', 'build', 'diff']);

interface Step {
  /** The line that begins the step. */
  readonly head: string;
  body: string;
}

/** Returns the steps of each case by its title. The case without a title has the files of all. */
function casesIn(file: string): Map<string, Step[]> {
  const cases = new Map<string, Step[]>([['', []]]);
  let steps = cases.get('') ?? [];
  for (const line of readFileSync(join(folder, file), 'utf8').split(/(?<=\n)/)) {
    const [, title] = /^== (.+)\n/.exec(line) ?? [];
    if (title !== undefined) cases.set(title, (steps = []));
    else if (/^(\$ |-- .+ --$)/.test(line.trimEnd()))
      steps.push({ head: line.trimEnd(), body: '' });
    else if (steps.length > 0) (steps.at(-1) as Step).body += line;
  }
  return cases;
}

describe.each(readdirSync(folder))('%s', (file) => {
  const cases = casesIn(file);
  const shared = cases.get('') ?? [];
  for (const [title, steps] of cases) {
    if (title === '') continue;
    test(title, async () => {
      const cwd = tempFolder();
      const address = await serve(plainHost(join(cwd, 'http')));
      for (const step of [...shared, ...steps]) {
        const [, path] = /^-- (.+) --$/.exec(step.head) ?? [];
        if (path !== undefined) {
          const text = decode(withoutEmptyEnd(step.body)).replaceAll('http://host', address);
          writeTree(cwd, { [path]: text });
        } else {
          const answer = (
            await answerTo(step.head.slice(2).replace('http://host', address), cwd)
          ).replaceAll(address, 'http://host');
          if (isUpdate) step.body = `${answer}\n`;
          expect(`${step.head}\n${answer.trimEnd()}`).toBe(`${step.head}\n${step.body.trimEnd()}`);
        }
      }
      if (isUpdate) writeFileSync(join(folder, file), textOf(cases));
    });
  }
});

function textOf(cases: ReadonlyMap<string, readonly Step[]>): string {
  return Array.from(cases, ([title, steps]) => {
    const written = steps.map(
      ({ head, body }) => `${head}\n${body.replace(/\n*$/, body.trim() === '' ? '' : '\n')}`,
    );
    return (title === '' ? '' : `\n== ${title}\n`) + written.join('');
  }).join('');
}

function withoutEmptyEnd(text: string): string {
  return text.replace(/\n+$/, '\n');
}

/** Runs a command. Returns what a person sees of it. */
async function answerTo(line: string, cwd: string): Promise<string> {
  const words = Array.from(
    line.matchAll(/"([^"]*)"|(\S+)/g),
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const env = Object.fromEntries(
    words.slice(0, first).map((word) => word.split(/=(.*)/s)),
  ) as Record<string, string>;
  const [command = '', ...args] = words.slice(first);
  if (command === 'cat') {
    const text = readFileSync(join(cwd, args[0] ?? ''), 'utf8');
    return encode(text.replace(/(?<="authority": "[a-z-]+-)[a-z]{8}(?=")/, 'letters8'));
  }
  if (command === 'rm') {
    rmSync(join(cwd, args[0] ?? ''), { recursive: true });
    return '';
  }
  const from = args.indexOf('<');
  const input = from === -1 ? '' : readFileSync(join(cwd, args.splice(from)[1] ?? ''), 'utf8');
  const given = [
    command,
    ...args,
    ...(readsTheClock.has(command) && !args.some((arg) => arg.startsWith('--now')) ? now : []),
  ];
  const before = readTree(cwd);
  const run = await runAlmanac(given, { cwd, env, input });
  const after = readTree(cwd);
  const lines = [
    run.stdout,
    run.stderr.replace(/^(?=.)/gm, '! '),
    ...changesOf(cwd, before, after),
  ];
  if (run.code !== 0)
    lines.unshift(`exit ${run.code} ${await codesOf(given, { cwd, env, input })}\n`);
  return lines
    .join('')
    .replaceAll(cwd, '{folder}')
    .replace(/in \d+\.\d\d s: \d+ files, [\d.]+ [kM]?B/, 'in T s: N files, B kB');
}

/** Returns the codes of the problems of a command that fails. */
async function codesOf(
  args: readonly string[],
  options: Parameters<typeof runAlmanac>[1],
): Promise<string> {
  const { stdout } = await runAlmanac(
    args.includes('--json') ? args : [...args, '--json'],
    options,
  );
  const { problems } = JSON.parse(stdout) as {
    readonly problems: readonly { readonly code: string }[];
  };
  return [...new Set(problems.map(({ code }) => code))].join(' ');
}

/** Returns a line for each changed path. A site is one path. */
function changesOf(
  cwd: string,
  before: ReadonlyMap<string, Buffer>,
  after: ReadonlyMap<string, Buffer>,
): string[] {
  const signs = new Map<string, string>();
  for (const path of [...before.keys(), ...after.keys()].toSorted()) {
    const [old, current] = [before.get(path), after.get(path)];
    if (old !== undefined && current?.equals(old) === true) continue;
    const place = placeOf(cwd, path);
    const isNew = !before.has(place.endsWith('/') ? `${place}files.json` : place);
    signs.set(place, isNew ? '+' : current === undefined && place === path ? '-' : '~');
  }
  return Array.from(signs, ([path, sign]) => `${sign} ${path}\n`);
}

/** Returns the site that a file is in, or else the file. */
function placeOf(cwd: string, path: string): string {
  for (let site = dirname(path); site !== '.'; site = dirname(site))
    if (existsSync(join(cwd, site, 'files.json'))) return `${site}/`;
  return path;
}
