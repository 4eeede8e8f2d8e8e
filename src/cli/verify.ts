import { printable, ProblemError } from '../problem/problem.ts';
import type { Command, OptionTable, Values } from './command.ts';
import { plural } from '../problem/text.ts';
import { printResult, withProgress } from './report.ts';
import { durationValue, openGivenSite, siteValue, output } from './settings.ts';
import { generator } from './shell.ts';

const table = {
  maxAge: {
    flag: '--max-age DURATION',
    help: 'also fail if last_sync is older, such as 36h or 2d',
    ...durationValue,
  },
  ...output,
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const verify: Command<Options> = {
  name: 'verify',
  summary: 'check that a site is whole: manifest, hashes, schemas, required documents',
  arguments: [
    {
      flag: 'SITE',
      help: 'a folder or an http or https address',
      ...siteValue,
    },
  ],
  options: table,
  examples: `  almanac verify dist                          the site that was just built
  almanac verify https://example.org/almanac   the site that is live
  almanac verify https://example.org --max-age 36h   is it whole, and was it updated since yesterday?
A host has two minutes to send everything.
`,
  async run(shell, [at = ''], options) {
    const { verifySite } = await import('../site/verify.ts');
    const { maxAge } = options;
    const freshness = maxAge === undefined ? null : { maxAge, now: shell.clock() };
    const check = async (signal: AbortSignal) =>
      withProgress(shell, options, 'file', async (onFile) =>
        verifySite(await openGivenSite(shell, at, signal), {
          generator,
          onFile,
          freshness,
        }),
      );
    const { withDeadline } = await import('../system/deadline.ts');
    const { site, problems, files, documents, filtered, notes } = await withDeadline('it', check);
    if (problems.length > 0) throw new ProblemError(problems);
    const document = {
      site,
      files,
      documents,
      cut: filtered,
    };
    const checked = `${plural(files, 'file')}, ${plural(documents, 'document')} checked`;
    // The texts of a filtered list cannot be compared with the manifest.
    const lists = `; ${plural(filtered, 'list')} without expired events, checked by schema only`;
    const text = `${printable(site)}: whole (${checked}${filtered === 0 ? '' : lists})\n`;
    printResult(shell, options, { document, text, warnings: notes });
  },
};
