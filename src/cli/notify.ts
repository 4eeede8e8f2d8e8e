import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { countKinds, totalOf, type ChangeCounts } from '../api/change-kinds.ts';
import type { ChangeRecord } from '../api/documents.ts';
import { orProblem, usage, type Command, type OptionTable, type Values } from './command.ts';
import { problemsIn, printResult } from './report.ts';
import { problemError } from '../problem/problem.ts';
import { plural } from '../problem/text.ts';
import { describeSite } from './host.ts';
import { common, output } from './settings.ts';
import type { Shell } from './shell.ts';

const table = {
  markdown: {
    flag: '--markdown',
    help: 'print the message, as for the summary of a workflow',
  },
  data: common.data,
  out: common.out,
  baseUrl: common.baseUrl,
  ...output,
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const notify: Command<Options> = {
  name: 'notify',
  summary: 'send what a build saw change to the webhook in NOTIFY_URL, or print it as Markdown',
  arguments: [
    {
      flag: 'FILE',
      help: 'the changes that almanac build --changes wrote',
    },
  ],
  options: table,
  examples: `  almanac notify changes.json             to the webhook in the variable NOTIFY_URL
  almanac notify changes.json --markdown  print it, as for the summary of a workflow
Slack, Discord, Teams and other webhooks get the same message, of at most 20 lines. Without any change, nothing is sent.
`,
  async run(shell, [file = ''], options) {
    const url = options.markdown ? null : webhookIn(shell);
    const { changes, counts } = await readChanges(shell, file);
    if (changes.length === 0)
      return printResult(shell, options, { document: { sent: 0 }, text: '' });
    const site = resolve(shell.cwd, options.out);
    const { baseUrl, name } = await describeSite(shell, site, options);
    const hasFile = (path: string) => existsSync(join(site, path));
    const news = {
      name,
      baseUrl,
      changes,
      counts,
      hasFile,
    };
    const { markdownNotice, webhookBody } = await import('./notice.ts');
    if (url === null) {
      const markdown = markdownNotice(news);
      return printResult(shell, options, { document: { markdown }, text: markdown });
    }
    await send(url, webhookBody(news));
    const sent = totalOf(counts);
    printResult(shell, options, {
      document: { sent },
      text: `Sent ${plural(sent, 'change')}.\n`,
    });
  },
};

/** Returns the address in NOTIFY_URL. It is a secret, so no error contains it. */
function webhookIn({ env }: Shell): string {
  const url = env['NOTIFY_URL'] ?? '';
  if (url === '')
    throw usage(`found no address;
      expected it in the variable
      NOTIFY_URL, or --markdown`);
  if (URL.canParse(url) && /^https?:/i.test(url)) return url;
  throw usage(`found an address in NOTIFY_URL that is not valid;
    expected the http or https address of a webhook`);
}

interface Changes {
  readonly changes: readonly ChangeRecord[];
  readonly counts: ChangeCounts;
}

/** Reads the file that `almanac build --changes` wrote. Throws the problem `changes-unreadable`. */
async function readChanges(shell: Shell, file: string): Promise<Changes> {
  const { readChanges: parse, readCounts } = await import('../site/published.ts');
  const readLog = (): Changes => {
    const text = readFileSync(resolve(shell.cwd, file), 'utf8');
    const log = parse(text);
    if (log === null) throw new Error('it is no list of changes');
    return {
      changes: log.changes,
      counts: readCounts(text) ?? countKinds(log.changes),
    };
  };
  return orProblem('changes-unreadable', file, readLog);
}

/** Sends a message once: after a lost answer, a second attempt could send it twice. */
async function send(url: string, message: string): Promise<void> {
  const { request } = await import('../system/http.ts');
  const outgoing = {
    url,
    method: 'POST',
    headers: new Map([['content-type', 'application/json']]),
    body: Buffer.from(message),
    redirect: 'manual',
  } as const;
  const limits = {
    pauses: [],
    timeout: 20_000,
    maxBytes: 1_000_000,
  };
  const answer = request(async () => outgoing, limits);
  const { status } = await answer.catch((error: unknown) => {
    const reasons = problemsIn(error).map((problem) => ('reason' in problem ? problem.reason : ''));
    throw problemError({ code: 'not-delivered', reason: reasons.join() });
  });
  if (status < 200 || status > 299) {
    const reason = `the webhook answered with status ${status}`;
    throw problemError({ code: 'not-delivered', reason });
  }
}
