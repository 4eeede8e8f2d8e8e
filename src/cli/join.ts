import type { Command } from 'commander';
import { join as joinPath } from 'node:path';
import type { JoinOptions } from '../builder/parts.ts';
import { inWorkingFolder } from '../system/leftovers.ts';
import { printReport } from './build-report.ts';
import { isBucket, readStore, withParts } from './open-store.ts';
import { bucketOptions } from './publish.ts';
import { givenNow, withCommon } from './settings.ts';
import type { Shell } from './shell.ts';
import { siteOptions, withSiteOptions, writeChanges, type SiteCommandOptions } from './site-options.ts';

export function addJoin(program: Command, shell: Shell): void {
  const command = program
    .command('join')
    .argument('<store>', 'where the parts are: a folder, or s3://bucket/prefix', readStore)
    .description('join the parts of a build into dist/, or into the bucket that --out names');
  withSiteOptions(command, shell).action(async (store: string, _options, self: Command) =>
    runJoin(shell, store, self.optsWithGlobals()),
  );
  withCommon(command, 'public', 'out', 'now', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac join /shared/parts                            from a folder to dist/
  almanac join s3://my-bucket/parts --out s3://my-site  from a bucket to a bucket
`,
  );
}

async function runJoin(shell: Shell, from: string, options: SiteCommandOptions): Promise<void> {
  const began = shell.stopwatch();
  const { join } = await import('../builder/parts.ts');
  const site = await siteOptions(shell, options);
  // Without --now, any time that all parts share will do.
  const now = options.now === undefined ? null : await givenNow(shell, options.now);
  const isPublished = isBucket(options.out);
  const report = await withParts(shell, from, isPublished, async (store) =>
    isPublished ? joinInto(shell, { ...site, store, now }, options) : join({ ...site, store, now }),
  );
  writeChanges(shell, options, report);
  await printReport(shell, options, report, began);
}

/** Joins parts in a temporary folder, and publishes the site to the bucket that `--out` names. */
async function joinInto(shell: Shell, options: JoinOptions, { out: target, replace }: SiteCommandOptions) {
  const bucketAt = bucketOptions(shell, target);
  const [{ join }, { Bucket }, { publishSite }, { openSite }] = await Promise.all([
    import('../builder/parts.ts'),
    import('../publish/s3.ts'),
    import('../publish/publish.ts'),
    import('../site/site.ts'),
  ]);
  return inWorkingFolder(async (folder) => {
    const out = joinPath(folder, 'dist');
    const report = await join({ ...options, out, isDurable: false });
    const published = { site: openSite(out, folder), bucket: new Bucket(bucketAt), target, replace: replace === true };
    if (!options.dryRun) await publishSite({ ...published, dryRun: false, adopt: false });
    return report;
  });
}
