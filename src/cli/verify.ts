import type { Command } from 'commander';
import { printable, problemLine, ProblemError } from '../problem/problem.ts';
import { failureDocument, plural, printResult, withProgress } from './report.ts';
import { openGivenSite, readSite, withCommon, type CommonOptions } from './settings.ts';
import { generator, type Shell } from './shell.ts';

export function addVerify(program: Command, shell: Shell): void {
  const command = program
    .command('verify')
    .argument('<site>', 'a folder or an http or https address', readSite)
    .description('check that a site is whole: manifest, hashes, schemas, required documents')
    .action(async (site: string, _options, self: Command) => runVerify(shell, site, self.optsWithGlobals()));
  withCommon(command, 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac verify dist                          the site that was just built
  almanac verify https://example.org/almanac   the site that is live
`,
  );
}

async function runVerify(shell: Shell, at: string, options: CommonOptions): Promise<void> {
  const { verifySite } = await import('../site/verify.ts');
  const site = openGivenSite(shell, at);
  const verdict = await withProgress(shell, options, 'file', (onFile) => verifySite(site, { generator, onFile }));
  const { problems, files, documents, filtered, notes } = verdict;
  if (problems.length > 0) throw new ProblemError(problems);
  if (!options.json && !options.quiet) for (const note of notes) shell.stderr.write(`note: ${problemLine(note)}\n`);
  const report = { site: site.name, files, documents, cut: filtered };
  const document = notes.length === 0 ? report : { ...report, notes: failureDocument(notes).problems };
  const checked = `${plural(files, 'file')}, ${plural(documents, 'document')} checked`;
  // The texts of a filtered list cannot be compared with the manifest.
  const lists = `; ${plural(filtered, 'list')} without expired events, checked by schema only`;
  printResult(shell, options, document, `${printable(site.name)}: whole (${checked}${filtered === 0 ? '' : lists})\n`);
}
