import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac, type Run } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';
import { serve } from '../setup/serve-folder.ts';

/** A local webhook. It keeps what it received, and answers with a status. */
async function webhook(status = 200): Promise<{ readonly url: string; readonly received: unknown[] }> {
  const received: unknown[] = [];
  const receive = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    expect([request.method, request.headers['content-type']]).toEqual(['POST', 'application/json']);
    received.push(await json(request));
    answer.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('a-secret-of-the-webhook');
  };
  const url = await serve((request, answer) => void receive(request, answer));
  return { url: `${url}/services/T0/s3cret`, received };
}

/** A catalogue whose site has been built once. */
async function catalogue(): Promise<string> {
  const cwd = writeTree(tempFolder(), sample);
  expect(await build(cwd, now)).toMatchObject({ code: 0 });
  return cwd;
}

async function build(cwd: string, at: string): Promise<Run> {
  return runAlmanac(['build', '--now', at, '--changes', 'changes.json'], { cwd });
}

const subject = 'data/tv/drama/night-ferry.json';
const events = [
  { title: 'Premiere', starts: '2027-09-13T21:00', zone: 'Europe/Oslo' },
  { title: 'Reading', starts: '2027-10-03', cancelled: true },
  { title: 'Sequel', starts: '2028' },
  { title: 'Pilot', starts: '2020-01-01' },
  { title: 'Talk <@everyone> [x](y) & *more*', id: 'talk', starts: '2027-11', url: 'https://example.org/a_(b)|c' },
];

async function change(cwd: string): Promise<void> {
  writeTree(cwd, { [subject]: { name: 'Night Ferry', events } });
  expect(await build(cwd, '2026-11-21T12:17:00Z')).toMatchObject({ code: 0 });
}

test('each change is sent once, in a body that Slack, Teams and Discord read', async () => {
  const { url, received } = await webhook();
  const cwd = await catalogue();
  const notify = async (): Promise<Run> => runAlmanac(['notify', 'changes.json'], { cwd, env: { NOTIFY_URL: url } });
  expect(await notify()).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  expect(received).toEqual([]);

  await change(cwd);
  expect(await notify()).toEqual({ code: 0, signal: null, stdout: 'Sent 3 changes.\n', stderr: '' });
  const head = `Sample: 3 changes – https://service.example/changes/
• Cancelled: Night Ferry: Reading 2027-10-03
• Moved: Night Ferry: Premiere 2027-09-12 21:00 Europe/Oslo → 2027-09-13 21:00 Europe/Oslo
• New: Night Ferry: Talk`;
  expect(received).toEqual([
    {
      text: `${head} &lt;@everyone&gt; [x](y) &amp; *more* 2027-11`,
      content: `${head} \\<\\@everyone\\> \\[x\\](y) & \\*more\\* 2027-11`,
      allowed_mentions: { parse: [] },
    },
  ]);

  expect(await build(cwd, '2026-11-22T12:17:00Z')).toMatchObject({ code: 0 });
  expect(await notify()).toMatchObject({ code: 0, stdout: '' });
  expect(received.length).toBe(1);
});

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

/** Returns the lines of the text that a webhook gets. */
async function linesFor(changes: readonly object[]): Promise<{ text: string[]; content: string }> {
  const { url, received } = await webhook();
  const cwd = writeTree(tempFolder(), { ...sample, 'changes.json': { since: null, changes } });
  expect(await runAlmanac(['notify', 'changes.json'], { cwd, env: { NOTIFY_URL: url } })).toMatchObject({ code: 0 });
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
    '• Moved: One: E',
    '• Dated: One: D',
    '• New: One: B',
    '• Theatre: 4 events added',
    '• Removed: One: C',
    '• Museum: 21 events removed',
    '• Changed: One: A',
  ]);
});

test('a message has at most 20 lines and says how many changes are left out', async () => {
  const moved = Array.from({ length: 23 }, (_, index) => record('moved', 'One', `E${index}`));
  const { text } = await linesFor(moved);
  expect([text.length, text.at(-1)]).toEqual([18, '• 6 more']);
  const cwd = writeTree(tempFolder(), { ...sample, 'changes.json': { since: null, changes: moved } });
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
  for (const shown of [String(text), content]) expect(shown).not.toMatch(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
});

test.each([302, 400, 404, 429, 500])(
  'a webhook that answers %i is reported (not-delivered), without its address',
  async (status) => {
    const { url, received } = await webhook(status);
    const cwd = await catalogue();
    await change(cwd);
    const run = await runAlmanac(['notify', 'changes.json'], { cwd, env: { NOTIFY_URL: url } });
    const reason = `the webhook answered with status ${status}`;
    const stderr = `the changes were not delivered: ${reason}; check the address of the webhook, and send them again\n`;
    expect(run).toEqual({ code: 1, signal: null, stdout: '', stderr });
    expect(received.length).toBe(1);
  },
);
