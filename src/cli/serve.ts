import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { manifestPath } from '../api/paths.ts';
import type { BuildSteps } from '../builder/options.ts';
import type { PreviewReport, SitePreview } from '../builder/preview.ts';
import { printable, ProblemError, type Problem, problemError } from '../problem/problem.ts';
import type { PreviewSite } from '../server/preview.ts';
import type { Command, OptionTable, Values } from './command.ts';
import { plural } from '../problem/text.ts';
import { printJson, printProblems, printWarnings, problemsIn, withProgress } from './report.ts';
import { chooseNow, common, publicFolder, output } from './settings.ts';
import { failureReason } from '../system/failure.ts';
import type { Watcher } from '../system/watch.ts';
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
    help: 'show data/ as you edit it; writes nothing, or with --out the site after each change',
  },
  port: {
    flag: '--port NUMBER',
    help: 'the port; 0 chooses a free one',
    initial: 8080,
    read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined),
    expected: 'a whole number from 0 to 65535',
  },
  host: {
    flag: '--host ADDRESS',
    help: 'the address to listen on',
    initial: localhost,
  },
  data: common.data,
  public: common.public,
  out: {
    ...common.out,
    initial: undefined,
    help: 'the folder of the site (default: dist)',
  },
  baseUrl: common.baseUrl,
  now: common.now,
  ...output,
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const serve: Command<Options> = {
  name: 'serve',
  summary: 'preview dist/, or with --watch data/ as you edit it, with the query form working',
  arguments: [],
  options: table,
  examples: `  almanac serve                             dist/ at http://127.0.0.1:8080
  almanac serve --watch                     data/ as you edit it
  almanac serve --port 0                    any free port; the first line is the address
  almanac serve --now 2027-01-01T00:00:00Z  what is upcoming then
`,
  run: async (shell, _args, options) => {
    const start = await chooseNow(shell, options.now);
    const now = options.now === undefined ? shell.clock : () => start;
    const { out = 'dist', watch } = options;
    if (watch && options.out === undefined) return watchOnRequest(shell, options, now);
    return serveBuilt(shell, options, now, {
      out: resolve(shell.cwd, out),
      name: printable(out),
    });
  },
};

/** Serves the data folder as it is: nothing is written, and each file is made on request. */
async function watchOnRequest(shell: Shell, options: Options, now: () => number): Promise<void> {
  const ended = shell.ended();
  const { SitePreview } = await import('../builder/preview.ts');
  let preview: SitePreview | null = null;
  const read = async (path: string): Promise<ArrayBuffer | null> => preview?.read(path) ?? null;
  // Listen before the first update, which may need the address.
  const server = await listen(options, { read }, now);
  try {
    const settings = previewOptions(shell, options, server.address);
    const site = new SitePreview(settings, now);
    preview = site;
    const watched: Watched = {
      name: 'the preview',
      address: server.address,
      update: (steps) => site.update(steps),
      hasSite: () => site.hasSite,
      onUpdate: server.reload,
    };
    await runWatch(shell, options, watched, ended);
  } finally {
    await server.close();
  }
}

/** Serves the site in a folder. With `--watch`, builds it now and after each change. */
async function serveBuilt(
  shell: Shell,
  options: Options,
  now: () => number,
  { out, name }: Served,
): Promise<void> {
  const ended = shell.ended();
  const { recover } = await import('../output/swap.ts');
  recover(out);
  const hasSite = () => existsSync(join(out, manifestPath));
  if (!options.watch && !hasSite()) throw problemError({ code: 'site-missing', site: name });
  const server = await listen(options, { folder: out }, now);
  try {
    if (!options.watch) {
      announce(shell, options, server.address, `Serving ${name}`);
      await ended;
      return;
    }
    const { build } = await import('../builder/build.ts');
    const settings = previewOptions(shell, options, server.address);
    const watched: Watched = {
      name,
      address: server.address,
      update: (steps) =>
        build({
          ...settings,
          out,
          previous: { at: out, isNamed: false },
          dryRun: false,
          isDurable: false,
          ...steps,
          now: now(),
        }),
      hasSite,
      onUpdate: () => {},
    };
    await runWatch(shell, options, watched, ended);
  } finally {
    await server.close();
  }
}

async function listen(options: Options, site: PreviewSite, now: () => number) {
  // An empty host, as from a variable that is not set, would listen on every address.
  const host = options.host || localhost;
  const { port } = options;
  const { openPreview } = await import('../server/preview.ts');
  return openPreview({
    ...site,
    host,
    port,
    now,
  }).catch((error: unknown): never => {
    throw problemError({
      code: 'address-refused',
      address: `${host}:${port}`,
      reason: failureReason(error),
    });
  });
}

/** The options of every build of a preview. */
function previewOptions(shell: Shell, options: Options, address: string) {
  // A folder that the user names must exist at the start. Later it may come and go.
  publicFolder(shell, options.public);
  return {
    ...dataFolder(shell, options.data),
    // The base URL in service.json belongs to the published site.
    baseUrl: {
      found: options.baseUrl ?? address,
      from: '--base-url',
    },
    get publicFolder() {
      return publicFolder(shell, options.public);
    },
    generator,
    assets: readAssets(),
  };
}

/** What follows the data folder. */
interface Watched {
  /** Its name in messages. */
  readonly name: string;
  readonly address: string;
  readonly update: (steps: BuildSteps) => Promise<PreviewReport>;
  readonly hasSite: () => boolean;
  /** Called after each update that succeeds. */
  readonly onUpdate: () => void;
}

/**
 * Updates a site now and after each change of the data, until a signal arrives. If an update fails,
 * the previous site stays. Throws the problems if there is none.
 */
async function runWatch(
  shell: Shell,
  options: Options,
  watched: Watched,
  ended: Promise<void>,
): Promise<void> {
  const { name, address, update, hasSite, onUpdate } = watched;
  const { watchFolder } = await import('../system/watch.ts');
  let problems: readonly Problem[] = [];
  const publicPath = resolve(shell.cwd, options.public ?? 'public');
  const onChange: Watcher['onChange'] = async (watch) => {
    const onOpen: BuildSteps['onOpen'] = ({ localFiles }) => watch([publicPath, ...localFiles]);
    try {
      const work = (onGenre: Required<BuildSteps>['onGenre']) => update({ onOpen, onGenre });
      const { totals, baseUrl } = await withProgress(shell, options, 'genre', work);
      problems = [];
      const count = plural(totals.upcoming, 'upcoming event');
      if (!options.quiet) shell.stderr.write(`Built ${name} for ${printable(baseUrl)}: ${count}\n`);
      onUpdate();
    } catch (error) {
      problems = problemsIn(error);
      if (!hasSite()) return;
      printProblems(shell.stderr, problems);
      shell.stderr.write(`${name} stays as it was\n`);
    }
  };
  const onRefusal = (setting: string): void =>
    printWarnings(shell, [
      {
        code: 'watch-refused',
        place: null,
        folder: options.data,
        setting,
      },
    ]);
  const watch = await watchFolder(resolve(shell.cwd, options.data), { onChange, onRefusal });
  try {
    if (!hasSite()) throw new ProblemError(problems);
    announce(shell, options, address, `Serving ${name} and watching ${printable(options.data)}`);
    await ended;
  } finally {
    await watch.close();
  }
}

/** Prints the address as the first line on stdout, once the server answers. */
function announce(shell: Shell, options: Options, address: string, what: string): void {
  if (options.json) printJson(shell, { ok: true, address });
  else shell.stdout.write(`${address}\n`);
  if (!options.quiet) shell.stderr.write(`${what}; Ctrl+C ends it\n`);
}
