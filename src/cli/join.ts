import type { Command } from 'commander';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { removeTree } from '../system/files.ts';
import { printReport, siteOptions, withSiteOptions } from './build.ts';
import { isBucket, openStore } from './open-store.ts';
import { bucketOptions } from './publish.ts';
import { withCommon } from './settings.ts';
import type { Shell } from './shell.ts';

type Options = Parameters<typeof siteOptions>[1];

export function addJoin(program: Command, shell: Shell): void {
  const command = program
    .command('join')
    .argument('<store>', 'where the parts are: a folder, or s3://bucket/prefix')
    .description('put the parts of a build together: to dist/, or to the bucket that --out names');
  withSiteOptions(command, shell).action(async (store: string, _options, self: Command) =>
    runJoin(shell, store, self.optsWithGlobals()),
  );
  withCommon(command, 'out', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac join /shared/parts                            the parts to dist/
  almanac join s3://my-bucket/parts --out s3://my-site  from a bucket to a bucket
`,
  );
}

async function runJoin(shell: Shell, from: string, options: Options): Promise<void> {
  const began = shell.stopwatch();
  const { join } = await import('../build-in-parts.ts');
  const store = await openStore(shell, from);
  const site = await siteOptions(shell, options);
  if (!isBucket(options.out)) return printReport(shell, options, await join({ ...site, store }), began);

  const target = bucketOptions(shell, options.out);
  const [{ Bucket }, { publishSite }, { openSite }] = await Promise.all([
    import('../deploy/s3.ts'),
    import('../deploy/publish.ts'),
    import('../deploy/site.ts'),
  ]);
  const folder = mkdtempSync(joinPath(tmpdir(), 'almanac-join-'));
  try {
    const out = joinPath(folder, 'dist');
    const report = await join({ ...site, store, out, isDurable: false });
    const published = { site: openSite(out, folder), bucket: new Bucket(target), target: options.out };
    if (!site.dryRun) await publishSite({ ...published, dryRun: false, adopt: false });
    await printReport(shell, options, report, began);
  } finally {
    removeTree(folder);
  }
}
