import type { Command } from 'commander';
import { printable, ProblemError } from '../problem/problem.ts';
import { openSite } from './open-site.ts';
import { plural, printJson, progress } from './report.ts';
import { chooseClock, readSite, withCommon, type CommonOptions } from './settings.ts';
import type { Shell } from './shell.ts';

export function addVerify(program: Command, shell: Shell): void {
  const command = program
    .command('verify')
    .argument('<site>', 'a folder or an http or https address', readSite)
    .description('check that a site is whole: manifest, hashes, schemas, counts')
    .action(async (site: string, _options, self: Command) => runVerify(shell, site, self.optsWithGlobals()));
  withCommon(command, 'now', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac verify dist                          the site that was just built
  almanac verify https://example.org/almanac   the site that is live
`,
  );
}

async function runVerify(shell: Shell, at: string, options: CommonOptions): Promise<void> {
  const { verifySite } = await import('../deploy/verify.ts');
  const now = await chooseClock(shell, options.now);
  const bar = progress(shell, options.quiet === true);
  const site = openSite(shell, at);
  const { problems, files, documents, filtered } = await verifySite(site, now, (done, of) =>
    bar.step(() => `file ${done} of ${of}`),
  ).finally(bar.end);
  if (problems.length > 0) throw new ProblemError(problems);
  if (options.json) printJson(shell, { ok: true, site: site.name, files, documents, cut: filtered });
  else if (!options.quiet) {
    const checked = `${plural(files, 'file')}, ${plural(documents, 'document')} checked`;
    // The texts of a filtered list cannot be compared with the manifest.
    const lists = `; ${plural(filtered, 'list')} without expired events, checked by schema, order and counts only`;
    shell.stdout.write(`${printable(site.name)}: whole (${checked}${filtered === 0 ? '' : lists})\n`);
  }
}
