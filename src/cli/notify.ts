import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ChangeRecord, ChangesDocument } from '../api/documents.ts';
import { usage, type Command } from './command.ts';
import { problemsIn, printResult, plural } from './report.ts';
import { ProblemError } from '../problem/problem.ts';
import type { NoticeForm } from '../render/notice.ts';
import { failureReason } from '../system/failure.ts';
import { describeSite } from './host.ts';
import { common, type CommonOptions } from './settings.ts';
import type { Shell } from './shell.ts';

/** The names of the forms, apart from their code, which the help of the program does not need. */
const forms: readonly NoticeForm[] = ['slack', 'discord', 'json', 'markdown'];

interface Options extends Pick<CommonOptions, 'data' | 'out' | 'baseUrl' | 'json' | 'quiet'> {
  readonly to?: string;
  readonly as?: NoticeForm;
}

export const notify: Command<Options> = {
  name: 'notify',
  summary: 'send what a build saw change to the webhook in NOTIFY_URL, or print it as Markdown',
  arguments: [{ flag: 'FILE', help: 'the changes that almanac build --changes wrote' }],
  options: {
    to: { flag: '--to URL', help: 'the address of the webhook, which is a secret (default: the variable NOTIFY_URL)' },
    as: {
      flag: '--as FORM',
      help: `the form of the message: ${forms.join(', ')} (default: from the host of the address)`,
      read: (written) => forms.find((form) => form === written),
      expected: `one of ${forms.join(', ')}`,
    },
    data: common.data,
    out: common.out,
    baseUrl: common.baseUrl,
    json: common.json,
    quiet: common.quiet,
  },
  examples: `  almanac notify changes.json                 to the webhook in the variable NOTIFY_URL
  almanac notify changes.json --as discord    in this form
  almanac notify changes.json --as markdown   print it, as for the summary of a workflow
A message lists at most 20 changes. Without any change, nothing is sent.
`,
  run: runNotify,
};

async function runNotify(shell: Shell, [file = '']: readonly string[], options: Options): Promise<void> {
  const target = targetOf(shell, options);
  const changes = await readChanges(shell, file);
  if (changes.length === 0) return printResult(shell, options, { sent: 0 }, '');
  const site = resolve(shell.cwd, options.out);
  const { baseUrl, name } = await describeSite(shell, site, options);
  const news = { name, baseUrl, changes, hasFile: (path: string) => existsSync(join(site, path)) };
  const { noticeForms } = await import('../render/notice.ts');
  const message = noticeForms[target.form](news);
  if (target.url === null) return printResult(shell, options, { markdown: message }, message);
  await send(target.url, message);
  printResult(shell, options, { sent: changes.length }, `Sent ${plural(changes.length, 'change')}.\n`);
}

/** Returns where to send the message, null to print it, and its form. No error contains the address, a secret. */
function targetOf({ env }: Shell, { to, as }: Options): { form: NoticeForm; url: string | null } {
  if (as === 'markdown') {
    if (to !== undefined)
      throw usage('found --to with --as markdown, which prints the message; expected one of the two');
    return { form: as, url: null };
  }
  const url = to ?? env['NOTIFY_URL'] ?? '';
  if (url === '') throw usage('found no address; expected --to URL, the variable NOTIFY_URL, or --as markdown');
  const host = URL.canParse(url) && /^https?:/i.test(url) ? new URL(url).hostname : null;
  if (host === null) throw usage('found an address that is not valid; expected the http or https address of a webhook');
  return { form: as ?? chats.get(host) ?? 'json', url };
}

/** The hosts of chats whose form differs. */
const chats: ReadonlyMap<string, NoticeForm> = new Map([
  ['hooks.slack.com', 'slack'],
  ['discord.com', 'discord'],
  ['discordapp.com', 'discord'],
]);

/** Reads the file that `almanac build --changes` wrote. Throws the problem `changes-unreadable`. */
async function readChanges(shell: Shell, file: string): Promise<ChangeRecord[]> {
  const { readChange } = await import('../site/foreign.ts');
  try {
    const { changes } = JSON.parse(readFileSync(resolve(shell.cwd, file), 'utf8')) as ChangesDocument;
    return changes.map((change) => readChange(change)).filter((change) => change !== null);
  } catch (error) {
    const reason = error instanceof Error && 'syscall' in error ? failureReason(error) : 'it is no list of changes';
    throw new ProblemError([{ code: 'changes-unreadable', place: null, path: file, reason }]);
  }
}

/** Sends a message once: after a lost answer, a second attempt could send it twice. */
async function send(url: string, message: string): Promise<void> {
  const { request } = await import('../system/http.ts');
  const body = Buffer.from(message);
  const outgoing = { url, method: 'POST', headers: new Map([['content-type', 'application/json']]), body };
  const limits = { pauses: [], timeout: 20_000, maxBytes: 1_000_000 };
  const answer = request(async () => ({ ...outgoing, redirect: 'manual' }), limits);
  const { status } = await answer.catch((error: unknown) => {
    const reasons = problemsIn(error).map((problem) => ('reason' in problem ? problem.reason : ''));
    throw notDelivered(reasons.join());
  });
  if (status < 200 || status > 299) throw notDelivered(`the webhook answered with status ${status}`);
}

function notDelivered(reason: string): ProblemError {
  return new ProblemError([{ code: 'not-delivered', place: null, reason }]);
}
