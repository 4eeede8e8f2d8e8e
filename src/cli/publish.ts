import { hasCredentials, parseUrl, withoutCredentials } from '../catalogue/url.ts';
import { printable, problemError } from '../problem/problem.ts';
import type { PublishReport } from '../publish/publish.ts';
import type { BucketOptions, Credentials } from '../publish/s3.ts';
import { plural } from '../problem/text.ts';
import type { Command, OptionTable, Values } from './command.ts';
import { printResult, size, withProgress } from './report.ts';
import { common, openGivenSite, output } from './settings.ts';
import type { Shell } from './shell.ts';

const table = {
  endpoint: {
    flag: '--endpoint URL',
    help: "an S3 service other than Amazon's (overrides AWS_ENDPOINT_URL_S3 and AWS_ENDPOINT_URL)",
  },
  adopt: {
    flag: '--adopt',
    help: 'replace objects even if almanac did not store them',
  },
  dryRun: {
    flag: '--dry-run',
    help: `show what would be uploaded, replaced and deleted,
      but change nothing`,
  },
  out: common.out,
  ...output,
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const publish: Command<Options> = {
  name: 'publish',
  summary: 'upload what changed in the site to a bucket',
  arguments: [{ flag: 'TARGET', help: 's3://bucket or s3://bucket/prefix' }],
  options: table,
  examples: `  almanac publish s3://my-bucket                      dist/ to the bucket
  almanac publish s3://my-bucket/almanac --dry-run    what would change below a prefix
  almanac publish s3://my-bucket --endpoint https://account.r2.cloudflarestorage.com
Credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN; region: AWS_REGION or AWS_DEFAULT_REGION.
`,
  async run(shell, [target = ''], options) {
    const place = bucketOptions(shell, target, options.endpoint);
    const [{ Bucket }, { publishSite }] = await Promise.all([
      import('../publish/s3.ts'),
      import('../publish/publish.ts'),
    ]);
    const site = await openGivenSite(shell, options.out);
    const { dryRun = false, adopt = false } = options;
    const report = await withProgress(shell, options, 'upload', (onStep) =>
      publishSite({
        site,
        bucket: new Bucket(place),
        target,
        dryRun,
        adopt,
        onStep,
      }),
    );
    printResult(shell, options, {
      document: {
        target,
        dry_run: dryRun,
        ...report,
      },
      text: summary(report, target, dryRun),
    });
  },
};

function summary(report: PublishReport, target: string, dryRun: boolean): string {
  const { uploaded, deleted, unchanged, bytes } = report;
  const [upload, remove] = dryRun ? ['to upload', 'to delete'] : ['uploaded', 'deleted'];
  const counts = [
    `${plural(uploaded.length, 'file')} ${upload} (${size(bytes)})`,
    `${deleted.length} ${remove}`,
    `${unchanged} unchanged`,
  ];
  return `${target}: ${counts.join(', ')}\n${dryRun ? steps(report) : ''}`;
}

function steps({ uploaded, replaced, deleted }: PublishReport): string {
  const replacements = new Set(replaced);
  const uploads = uploaded.map((path) => {
    const step = replacements.has(path) ? 'replace' : 'upload';
    return `  ${step} ${printable(path)}\n`;
  });
  const deletions = deleted.map((path) => `  delete ${printable(path)}\n`);
  return [...uploads, ...deletions].join('');
}

/** Reads the address of a bucket and the variables with its region and its credentials. */
function bucketOptions({ env }: Shell, target: string, option: string | undefined): BucketOptions {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/*$/.exec(target) ?? [];
  const endpoint = option ?? (env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || null);
  if (bucket === undefined || /\/\/|[^\w!.*'()/-]|(?:^|\/)\.{1,2}(?:\/|$)/.test(prefix)) {
    throw problemError({ code: 'bad-target', found: target });
  }
  const isEndpoint =
    endpoint === null || (/^https?:\/\/[^\s?#]+$/i.test(endpoint) && parseUrl(endpoint) !== null);
  if (endpoint !== null && (!isEndpoint || hasCredentials(endpoint))) {
    throw problemError({
      code: 'bad-endpoint',
      found: withoutCredentials(endpoint),
    });
  }
  const region =
    read(env, 'AWS_REGION', regionPattern) ??
    read(env, 'AWS_DEFAULT_REGION', regionPattern) ??
    'us-east-1';
  return {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region,
    credentials: credentialsIn(env),
  };
}

function credentialsIn(env: Shell['env']): Credentials {
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];
  const [accessKeyId, secretAccessKey, sessionToken] = names.map((name) =>
    read(env, name, credentialPattern),
  );
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw problemError({ code: 'credentials-missing' });
  }
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
  };
}

/** A region becomes part of a host name. */
const regionPattern = /^[\w-]+$/;

/**
 * The characters that a credential may have in a header. Later errors might print one with a copied
 * line break.
 */
const credentialPattern = /^[!-~]+$/;

function read(env: Shell['env'], name: string, allowed: RegExp): string | undefined {
  const value = env[name] || undefined;
  if (value === undefined || allowed.test(value)) return value;
  throw problemError({ code: 'bad-variable', name });
}
