import type { Command } from 'commander';
import { openGivenSite } from './given-site.ts';
import { printJson } from './report.ts';
import { givenNow, readSite, withCommon, type CommonOptions } from './settings.ts';
import type { Shell } from './shell.ts';

interface Options extends CommonOptions {
  readonly markdown?: true;
}

export function addDiff(program: Command, shell: Shell): void {
  const command = program
    .command('diff')
    .argument('<old>', 'a site: a folder or an http or https address', readSite)
    .argument('<new>', 'the site to compare it with', readSite)
    .description('show what changed between two sites: events added, removed, moved, changed or cancelled')
    .option('--markdown', 'print Markdown, as for the summary of a pull request')
    .action(async (old: string, next: string, _options, self: Command) =>
      runDiff(shell, [old, next], self.optsWithGlobals()),
    );
  withCommon(command, 'now', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac diff https://example.org/almanac dist   what publishing dist/ would change
  almanac diff before after --markdown            for people
  almanac diff before after --json                for a program
Events that have expired by --now (default: the last synchronisation of the new site) are counted, not listed.
`,
  );
}

async function runDiff(shell: Shell, [old, next]: readonly [string, string], options: Options): Promise<void> {
  const { compareSites } = await import('../deploy/diff.ts');
  const [before, after] = [openGivenSite(shell, old), openGivenSite(shell, next)];
  const comparison = await compareSites(before, after, await givenNow(shell, options.now));
  if (options.json) return printJson(shell, { ok: true, old: before.name, new: after.name, ...comparison });
  if (options.quiet) return;
  const { asMarkdown, asText } = await import('./diff-text.ts');
  shell.stdout.write(options.markdown ? asMarkdown(comparison) : asText(comparison));
}
