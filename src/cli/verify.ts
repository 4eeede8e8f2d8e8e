import type { Command } from 'commander';
import { printable, ProblemError } from '../problem/problem.ts';
import { plural, printJson, progress } from './report.ts';
import { chooseClock, readSite, withCommon, type CommonOptions } from './settings.ts';
import type { Shell } from './shell.ts';

export function addVerify(program: Command, shell: Shell): void {
  const command = program
    .command('verify')
    .argument('<site>', 'a folder or an http or https address', readSite)
    .description('check that a site is whole: manifest, hashes, schemas, counts')
    .action(async (site: string, options: CommonOptions) => runVerify(shell, site, options));
  withCommon(command, 'now', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac verify dist                          the site that was just built
  almanac verify https://example.org/almanac   the site that is live
`,
  );
}

async function runVerify(shell: Shell, at: string, options: CommonOptions): Promise<void> {
  const [{ openSite }, { verifySite }] = await Promise.all([
    import('../deploy/site.ts'),
    import('../deploy/verify.ts'),
  ]);
  const now = await chooseClock(shell, options.now);
  const bar = progress(shell, options.quiet === true);
  const site = openSite(at, shell.cwd);
  const { problems, files, documents, cut } = await verifySite(site, now, (done, of) =>
    bar.step(() => `file ${done} of ${of}`),
  ).finally(bar.end);
  if (problems.length > 0) throw new ProblemError(problems);
  if (options.json) printJson(shell, { ok: true, site: site.name, files, documents, cut });
  else if (!options.quiet) {
    const over = cut === 0 ? '' : `; ${plural(cut, 'list')} without what is over by now`;
    shell.stdout.write(
      `${printable(site.name)}: whole (${plural(files, 'file')}, ${plural(documents, 'document')} checked${over})\n`,
    );
  }
}
