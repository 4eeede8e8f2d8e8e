import type { Command } from 'commander';
import { join, relative, resolve, sep } from 'node:path';
import { mountOf } from '../catalogue/url.ts';
import { printable, ProblemError } from '../problem/problem.ts';
import { findHost, hostNames } from '../deploy/hosts/table.ts';
import { failureReason } from '../system/failure.ts';
import { writeFiles } from '../system/files.ts';
import { printJson, warnOfLocal } from './report.ts';
import { givenBaseUrl, withCommon, type CommonOptions } from './settings.ts';
import { displayPathIn, type Shell } from './shell.ts';

interface Options extends CommonOptions {
  readonly to?: string;
}

export function addHost(program: Command, shell: Shell): void {
  const command = program
    .command('host')
    .description('write the files that a host needs next to dist/ to answer queries')
    .argument('<name>', `one of ${hostNames.join(', ')}`)
    .option('--to <dir>', 'the folder to write into (default: host/NAME)')
    .action(async (name: string, _options, self: Command) => runHost(shell, name, self.optsWithGlobals()));
  withCommon(command, 'data', 'out', 'baseUrl', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac host cloudflare        a worker and its wrangler.jsonc, in host/cloudflare/
  almanac host nginx --to etc    almanac.conf, in etc/
  almanac host node              a server for any machine with Node.js
`,
  );
}

async function runHost(shell: Shell, name: string, options: Options): Promise<void> {
  const { findBaseUrl } = await import('../build.ts');
  const host = await findHost(name);
  const { data, out } = options;
  const displayPath = displayPathIn(shell, data);
  const found = givenBaseUrl(shell, options.baseUrl);
  const baseUrl = await findBaseUrl({ data: resolve(shell.cwd, data), displayPath, baseUrl: found });
  const to = options.to ?? join('host', name);
  const folder = resolve(shell.cwd, to);
  const site = resolve(shell.cwd, out);
  if (!options.quiet) warnOfLocal(shell, baseUrl);
  const files = host.files({
    baseUrl,
    mount: mountOf(baseUrl),
    site,
    relativeSite: relative(folder, site).split(sep).join('/') || '.',
  });
  write(shell, folder, to, files);
  const written = Object.keys(files).map((file) => join(to, file).split(sep).join('/'));
  if (options.json) printJson(shell, { ok: true, host: name, files: written });
  else if (!options.quiet) shell.stdout.write(written.map((file) => `${printable(file)}\n`).join(''));
  if (!options.quiet) shell.stderr.write(`${host.title}:\n${host.steps.map((step) => `  ${step}\n`).join('')}`);
}

function write(shell: Shell, folder: string, name: string, files: Readonly<Record<string, string>>): void {
  try {
    writeFiles(folder, shell.cwd, files);
  } catch (error) {
    throw new ProblemError([{ code: 'host-not-written', place: null, folder: name, reason: failureReason(error) }]);
  }
}
