import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { manifestPath } from '../api/paths.ts';
import { printable, ProblemError, type Problem } from '../problem/problem.ts';
import type { Command, OptionTable, Values } from './command.ts';
import { plural } from '../problem/text.ts';
import { printJson, printProblems, printWarnings, problemsIn, withProgress } from './report.ts';
import { chooseNow, common, publicFolder } from './settings.ts';
import { failureReason } from '../system/failure.ts';
import { removeTree } from '../system/files.ts';
import { generator, dataFolder, readAssets, type Shell } from './shell.ts';

interface Served {
  /** Its absolute path. */
  readonly out: string;
  /** Its name in messages. */
  readonly name: string;
}

const localhost = '127.0.0.1';

const table = {
  watch: {
    flag: '--watch',
    help: 'build a preview now and after each change of data/; dist/ stays as it is unless --out is given',
  },
  port: {
    flag: '--port NUMBER',
    help: 'the port; 0 chooses a free one',
    initial: 8080,
    read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined),
    expected: 'a whole number from 0 to 65535',
  },
  host: { flag: '--host ADDRESS', help: 'the address to listen on', initial: localhost },
  data: common.data,
  public: common.public,
  out: { ...common.out, initial: undefined, help: 'the folder of the site (default: dist)' },
  baseUrl: common.baseUrl,
  now: common.now,
  json: common.json,
  quiet: common.quiet,
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const serve: Command<Options> = {
  name: 'serve',
  summary:
    'preview dist/ with the query form working; --watch builds data/ again after each change',
  arguments: [],
  options: table,
  examples: `  almanac serve                             dist/ at http://127.0.0.1:8080
  almanac serve --watch                     data/ as you edit it
  almanac serve --port 0                    any free port; the first line is the address
  almanac serve --now 2027-01-01T00:00:00Z  what is upcoming then
`,
  run: async (shell, _args, options) => {
    const { out = 'dist', watch } = options;
    if (!watch || options.out !== undefined)
      return runServe(shell, options, { out: resolve(shell.cwd, out), name: printable(out) });
    // Not dist/, which may be the published site, but a folder that only this user can open.
    const folder = mkdtempSync(join(tmpdir(), 'almanac-preview-'));
    try {
      await runServe(shell, options, { out: join(folder, 'site'), name: 'the preview' });
    } finally {
      removeTree(folder);
    }
  },
};

/**
 * Serves until a signal arrives. Prints the address as the first line on stdout once the server
 * answers.
 */
async function runServe(shell: Shell, options: Options, served: Served): Promise<void> {
  const ended = shell.ended();
  const { out } = served;
  const began = await chooseNow(shell, options.now);
  const now = options.now === undefined ? shell.clock : () => began;
  const { recover } = await import('../output/swap.ts');
  recover(out);
  if (!options.watch && !hasSite(out))
    throw new ProblemError([{ code: 'site-missing', place: null, site: served.name }]);
  // An empty host, as from a variable that is not set, would listen on every address.
  const host = options.host || localhost;
  const { openPreview } = await import('../server/preview.ts');
  const { address, close } = await openPreview({
    folder: out,
    host,
    port: options.port,
    now,
  }).catch((error: unknown) => {
    const [refused, reason] = [`${host}:${options.port}`, failureReason(error)];
    throw new ProblemError([{ code: 'address-refused', place: null, address: refused, reason }]);
  });
  try {
    // Listen before the build, which may need the address.
    const watch = options.watch ? await startWatch(shell, options, served, now, address) : null;
    try {
      if (watch !== null && !hasSite(out)) throw new ProblemError(watch.problems());
      const { json, quiet, data } = options;
      if (json) printJson(shell, { ok: true, address });
      else shell.stdout.write(`${address}\n`);
      const watching = watch ? ` and watching ${printable(data)}` : '';
      if (!quiet) shell.stderr.write(`Serving ${served.name}${watching}; Ctrl+C ends it\n`);
      await ended;
    } finally {
      await watch?.close();
    }
  } finally {
    await close();
  }
}

function hasSite(out: string): boolean {
  return existsSync(join(out, manifestPath));
}

/** Builds the site now and after each change. If a build fails, the previous site stays. */
async function startWatch(
  shell: Shell,
  options: Options,
  served: Served,
  now: () => number,
  address: string,
) {
  const { watchFolder } = await import('../system/watch.ts');
  let problems: readonly Problem[] = [];
  const onChange = async (): Promise<void> => {
    problems = await tryBuild(shell, options, served, address, now());
    if (problems.length === 0 || !hasSite(served.out)) return;
    printProblems(shell.stderr, problems);
    shell.stderr.write(`${served.name} stays as it was\n`);
  };
  const onRefusal = (setting: string): void =>
    printWarnings(shell, [{ code: 'watch-refused', place: null, folder: options.data, setting }]);
  const watch = await watchFolder(resolve(shell.cwd, options.data), { onChange, onRefusal });
  return { close: watch.close, problems: () => problems };
}

/** Builds the site, and returns the problems that prevent it. */
async function tryBuild(
  shell: Shell,
  options: Options,
  { out, name }: Served,
  address: string,
  now: number,
) {
  const { build } = await import('../builder/build.ts');
  try {
    const { totals, baseUrl } = await withProgress(shell, options, 'genre', (onGenre) =>
      build({
        ...dataFolder(shell, options.data),
        out,
        previous: { at: out, isNamed: false },
        // The base URL in service.json belongs to the published site.
        baseUrl: { found: options.baseUrl ?? address, from: '--base-url' },
        publicFolder: publicFolder(shell, options.public),
        generator,
        assets: readAssets(),
        now,
        dryRun: false,
        isDurable: false,
        onGenre,
      }),
    );
    const built = `Built ${name} for ${printable(baseUrl)}: ${plural(totals.upcoming, 'upcoming event')}\n`;
    if (!options.quiet) shell.stderr.write(built);
    return [];
  } catch (error) {
    return problemsIn(error);
  }
}
