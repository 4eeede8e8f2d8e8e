import { execFile } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { engine, onPath } from '../setup/engines.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { listen } from '../setup/host.ts';
import { blocksUnder } from './pages.ts';

/*
 * Runs the commands of docs/internals/ with the AWS CLI, which refuses unknown options and
 * documents of another form. A service on this machine takes the place of AWS: it records the
 * requests, and its answers have what the next command needs.
 */
const aws = engine('the AWS CLI', () => onPath('aws'), 'apt-get install awscli');

/** The answer to a request by the start of `METHOD path`, or of `Action=` in the body. */
const answers: Readonly<Record<string, string>> = {
  'Action=GetCallerIdentity': inQuery('GetCallerIdentity', '<Account>123456789012</Account>'),
  'Action=CreateOpenIDConnectProvider': inQuery('CreateOpenIDConnectProvider', ''),
  'Action=CreateRole': inQuery(
    'CreateRole',
    '<Role><Arn>arn:aws:iam::123456789012:role/almanac</Arn></Role>',
  ),
  'Action=PutRolePolicy': inQuery('PutRolePolicy', ''),
  'GET /2020-05-31/function/almanac/describe':
    '<FunctionSummary><FunctionMetadata><FunctionARN>arn:of-function</FunctionARN></FunctionMetadata></FunctionSummary>',
  'POST /2020-05-31/origin-access-control':
    '<OriginAccessControl><Id>ACCESS-ID</Id></OriginAccessControl>',
  'POST /2020-05-31/response-headers-policy':
    '<ResponseHeadersPolicy><Id>HEADERS-ID</Id></ResponseHeadersPolicy>',
  'POST /2020-05-31/distribution':
    '<Distribution><Id>SITE-ID</Id><DomainName>d.example</DomainName></Distribution>',
  'GET /my-bucket?list-type=2': '<ListBucketResult/>',
};

function inQuery(action: string, result: string): string {
  return `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`;
}

interface Asked {
  /** The method and path, or the action. */
  readonly what: string;
  readonly body: string;
}

/**
 * Runs a script with the AWS CLI and a service in place of AWS. Returns what it printed and what it
 * asked.
 */
async function runWithAws(
  script: string,
): Promise<{ readonly stdout: string; readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const line = `${request.method} ${request.url}`;
    const what = /^Action=\w+/.exec(body)?.[0] ?? line.split('?')[0] ?? '';
    asked.push({
      what,
      body: body.startsWith('Action=') ? String([...new URLSearchParams(body).values()]) : body,
    });
    const [, answer = ''] =
      Object.entries(answers).find(([start]) => start === what || line.startsWith(start)) ?? [];
    response.setHeader('ETag', 'VERSION').end(answer);
  };
  const { url, close } = await listen((request, response) => void answerTo(request, response));
  onTestFinished(close);
  const cwd = writeTree(tempFolder(), {
    'host/cloudfront/viewer-request.js': 'function handler() {}',
    'dist/api/v1/events': {},
  });
  const programs = `npx() { :; }\naws() { '${aws}' --endpoint-url ${url} "$@"; }\n`;
  const keys = {
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_DEFAULT_REGION: 'eu-central-1',
    AWS_PAGER: '',
    AWS_MAX_ATTEMPTS: '1',
  };
  const env = { PATH: process.env['PATH'], HOME: cwd, ...keys };
  const { stdout } = await promisify(execFile)('/bin/sh', ['-euc', programs + script], {
    cwd,
    env,
  });
  return { stdout, asked };
}

/** Returns the shell commands of a section of docs/internals/hosts.md. */
function commandsUnder(heading: string): string {
  const blocks = blocksUnder('docs/internals/hosts.md', heading).filter(
    ({ language }) => language === 'sh',
  );
  return blocks.map(({ code }) => code).join('');
}

test.runIf(aws !== null)('the AWS CLI takes every command of the guide to CloudFront', async () => {
  const steps = commandsUnder('CloudFront before a private bucket, step by step');
  const commands = steps.replace('DISTRIBUTION=…', 'DISTRIBUTION=SITE-ID');
  const { asked } = await runWithAws(commands);
  const bodyOf = (what: string): string | undefined =>
    asked.findLast((request) => request.what === what)?.body;
  const distribution = bodyOf('POST /2020-05-31/distribution');
  for (const part of [
    'arn:of-function',
    'ACCESS-ID',
    'HEADERS-ID',
    'my-bucket.s3.eu-central-1.amazonaws.com',
  ]) {
    expect(distribution).toContain(`>${part}</`);
  }
  const policy = bodyOf('PUT /my-bucket') ?? '';
  expect(JSON.parse(policy)).toMatchObject({
    Statement: {
      Condition: {
        StringEquals: { 'AWS:SourceArn': 'arn:aws:cloudfront::123456789012:distribution/SITE-ID' },
      },
    },
  });
  expect(bodyOf('Action=CreateRole')).toContain('"repo:YOU/fairs:ref:refs/heads/main"');
  expect(bodyOf('Action=PutRolePolicy')).toContain('"arn:aws:s3:::my-bucket/*"');
});

test.runIf(aws !== null)(
  'the AWS CLI takes the commands that upload to a bucket, and refuses others',
  async () => {
    const lines = commandsUnder('Upload to a bucket with other tools')
      .replaceAll('\\\n', '')
      .split('\n');
    const uploads = lines.filter((line) => line.startsWith('aws '));
    expect(uploads).toHaveLength(2);
    const { stdout } = await runWithAws(uploads.map((line) => `${line} --dryrun\n`).join(''));
    expect(stdout).toContain('(dryrun) upload: dist/api/v1/events to s3://my-bucket/api/v1/events');
    await expect(runWithAws(`${uploads[0]} --dryrun --cache-controll x\n`)).rejects.toThrow(
      '--cache-controll',
    );
  },
);
