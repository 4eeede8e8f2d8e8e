import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac, type Run } from '../setup/run-almanac.ts';
import { sample } from '../setup/sample.ts';
import { serve } from '../setup/serve-folder.ts';

/** A local webhook. It keeps what it received, and answers with a status. */
async function webhook(
  status = 200,
): Promise<{ readonly url: string; readonly received: unknown[] }> {
  const received: unknown[] = [];
  const receive = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    expect([request.method, request.headers['content-type']]).toEqual(['POST', 'application/json']);
    received.push(await json(request));
    answer
      .writeHead(status, status === 302 ? { location: '/elsewhere' } : {})
      .end('a-secret-of-the-webhook');
  };
  const url = await serve((request, answer) => void receive(request, answer));
  return { url: `${url}/services/T0/s3cret`, received };
}

/** A change as the change log has it. */
const record = (kind: string, subject: string, title: string): object => ({
  kind,
  at: '2026-11-21T12:17:00.000Z',
  id: `drama-tv/${subject.toLowerCase()}/${title.toLowerCase().replace(/[^a-z\d]/g, '')}`,
  category: 'tv',
  genre: 'drama-tv',
  subject: { id: subject.toLowerCase(), name: subject },
  title,
  before: kind === 'added' ? null : { date: '2027-11-01' },
  after: kind === 'removed' ? null : { date: '2027-11-02' },
});

/** Sends changes to a webhook. Returns the run and the bodies that arrived. */
async function send(
  changes: readonly object[],
  status = 200,
): Promise<{ run: Run; received: unknown[] }> {
  const { url, received } = await webhook(status);
  const cwd = writeTree(tempFolder(), { ...sample, 'changes.json': { since: null, changes } });
  return {
    run: await runAlmanac(['notify', 'changes.json'], { cwd, env: { NOTIFY_URL: url } }),
    received,
  };
}

test('changes are sent once, in a body that Slack, Teams and Discord read', async () => {
  const none = await send([]);
  expect(none).toEqual({ run: { code: 0, signal: null, stdout: '', stderr: '' }, received: [] });
  const { run, received } = await send([
    record('moved', 'Ferry', 'Talk <@everyone> [x](y) & *more*'),
    record('cancelled', 'Ferry', 'Reading'),
  ]);
  expect(run).toEqual({ code: 0, signal: null, stdout: 'Sent 2 changes.\n', stderr: '' });
  const head = `Sample: 2 changes (1 cancelled, 1 moved) – https://service.example/
• Cancelled: Ferry: Reading 2027-11-01 → 2027-11-02
• Moved: Ferry: Talk`;
  expect(received).toEqual([
    {
      text: `${head} &lt;@everyone&gt; [x]\u2060(y) &amp; *more* 2027-11-01 → 2027-11-02`,
      content: `${head} \\<\\@everyone\\> \\[x\\](y) & \\*more\\* 2027-11-01 → 2027-11-02`,
      allowed_mentions: { parse: [] },
    },
  ]);
});

/** Returns the lines of the text that a webhook gets. */
async function linesFor(changes: readonly object[]): Promise<{ text: string[]; content: string }> {
  const { run, received } = await send(changes);
  expect(run).toMatchObject({ code: 0 });
  const [{ text, content }] = received as [{ text: string; content: string }];
  return { text: text.split('\n').slice(1), content };
}

test('what people must know first is first, and a subject that came or went is one line', async () => {
  const { text } = await linesFor([
    record('changed', 'One', 'A'),
    ...Array.from({ length: 21 }, (_, index) => record('removed', 'Museum', `R${index}`)),
    record('added', 'One', 'B'),
    ...Array.from({ length: 4 }, (_, index) => record('added', 'Theatre', `T${index}`)),
    record('removed', 'One', 'C'),
    record('dated', 'One', 'D'),
    record('moved', 'One', 'E'),
    record('cancelled', 'Two', 'F'),
  ]);
  expect(text.map((line) => line.replace(/ 2027.*/, ''))).toEqual([
    '• Cancelled: Two: F',
    '• Removed: One: C',
    '• Museum: 21 events removed',
    '• Moved: One: E',
    '• Dated: One: D',
    '• New: One: B',
    '• Theatre: 4 events added',
    '• Changed: One: A',
  ]);
});

test('a message has at most 20 lines and says how many changes are left out', async () => {
  const moved = Array.from({ length: 23 }, (_, index) => record('moved', 'One', `E${index}`));
  const { text } = await linesFor(moved);
  expect([text.length, text.at(-1)]).toEqual([18, '• 6 more']);
  const cwd = writeTree(tempFolder(), {
    ...sample,
    'changes.json': { since: null, changes: moved },
  });
  const { stdout } = await runAlmanac(['notify', 'changes.json', '--markdown'], { cwd });
  expect(stdout.trimEnd().split('\n').length).toBe(20);
});

test('long names never make a message too long for Discord', async () => {
  const { content } = await linesFor(
    Array.from({ length: 20 }, (_, index) => record('moved', 'One', `${index} ${'*'.repeat(190)}`)),
  );
  expect(content.length).toBeLessThanOrEqual(2000);
  expect(content).toMatch(/\n• \d+ more$/);
});

test('what reverses the direction of text is escaped', async () => {
  const { text, content } = await linesFor([record('moved', 'One', 'a\u202eb\u2066c\u200fd')]);
  for (const shown of [String(text), content])
    expect(shown).not.toMatch(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
});

test.each([302, 400, 404, 429, 500])(
  'a webhook that answers %i is reported (not-delivered), without its address',
  async (status) => {
    const { run, received } = await send([record('moved', 'One', 'E')], status);
    const reason = `the webhook answered with status ${status}`;
    const stderr = `the changes were not delivered: ${reason}; check the address of the webhook, and send them again\n`;
    expect(run).toEqual({ code: 1, signal: null, stdout: '', stderr });
    expect(received.length).toBe(1);
  },
);
