import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../setup/host.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac, type Run } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

/** A local webhook. It keeps what it received, and answers with a status. */
async function webhook(status = 200): Promise<{ readonly url: string; readonly received: unknown[] }> {
  const received: unknown[] = [];
  const receive = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    received.push(JSON.parse(await bodyOf(request)));
    answer.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('a-secret-of-the-webhook');
  };
  const { url, close } = await listen((request, answer) => void receive(request, answer));
  onTestFinished(close);
  return { url: `${url}/services/T0/s3cret`, received };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  expect(request.headers).toMatchObject({ 'content-type': 'application/json' });
  expect(request.method).toBe('POST');
  return Buffer.concat(chunks).toString();
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

const page = 'https://service.example/genre/drama-tv/night-ferry';

test('each change is sent to a chat once', async () => {
  const { url, received } = await webhook();
  const cwd = await catalogue();
  const notify = async (): Promise<Run> =>
    runAlmanac(['notify', 'changes.json', '--as', 'slack'], { cwd, env: { NOTIFY_URL: url } });
  expect(await notify()).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  expect(received).toEqual([]);

  await change(cwd);
  expect(await notify()).toEqual({ code: 0, signal: null, stdout: 'Sent 3 changes.\n', stderr: '' });
  const text = `*Sample: 3 changes*
• *Moved* <${page}/#premiere|Night Ferry: Premiere> 2027-09-12 21:00 Europe/Oslo → 2027-09-13 21:00 Europe/Oslo
• *Cancelled* <${page}/#reading|Night Ferry: Reading> 2027-10-03
• *New* <${page}/#talk|Night Ferry: Talk &lt;@everyone&gt; [x](y) &amp; *more*> 2027-11`;
  expect(received).toEqual([{ text }]);

  expect(await build(cwd, '2026-11-22T12:17:00Z')).toMatchObject({ code: 0 });
  expect(await notify()).toMatchObject({ code: 0, stdout: '' });
  expect(received.length).toBe(1);
});

test('Discord gets an embed that notifies nobody', async () => {
  const { url, received } = await webhook(204);
  const cwd = await catalogue();
  await change(cwd);
  expect(await runAlmanac(['notify', 'changes.json', '--as', 'discord', '--to', url], { cwd })).toMatchObject({
    code: 0,
  });
  const description = `- **Moved** [Night Ferry\\: Premiere](${page}/#premiere) 2027\\-09\\-12 21\\:00 Europe/Oslo → 2027\\-09\\-13 21\\:00 Europe/Oslo
- **Cancelled** [Night Ferry\\: Reading](${page}/#reading) 2027\\-10\\-03
- **New** [Night Ferry\\: Talk \\<\\@everyone\\> \\[x\\]\\(y\\) \\& \\*more\\*](${page}/#talk) 2027\\-11`;
  const embed = { title: 'Sample: 3 changes', url: 'https://service.example/changes/', description };
  expect(received).toEqual([{ embeds: [embed], allowed_mentions: { parse: [] } }]);
});

test('another webhook gets the changes as the change log has them', async () => {
  const { url, received } = await webhook();
  const cwd = await catalogue();
  await change(cwd);
  const run = await runAlmanac(['notify', 'changes.json', '--to', url, '--json'], { cwd });
  expect(run).toMatchObject({ code: 0, stdout: '{"ok":true,"sent":3}\n', stderr: '' });
  expect(received).toMatchObject([
    {
      catalogue: 'Sample',
      base_url: 'https://service.example',
      url: 'https://service.example/changes/',
      total: 3,
      more: 0,
      changes: [{ kind: 'moved' }, { kind: 'cancelled' }, { kind: 'added', id: 'drama-tv/night-ferry/talk' }],
    },
  ]);
});

test('a message lists twenty changes, and links to the others', async () => {
  const { url, received } = await webhook();
  const cwd = await catalogue();
  const many = Array.from({ length: 23 }, (_, index) => ({ title: `Show ${index}`, starts: '2027-11-01' }));
  writeTree(cwd, { 'data/tv/drama/shows.json': { name: 'Shows', events: many } });
  expect(await build(cwd, '2026-11-21T12:17:00Z')).toMatchObject({ code: 0 });
  expect(await runAlmanac(['notify', 'changes.json', '--to', url], { cwd })).toMatchObject({ code: 0 });
  expect(received).toMatchObject([{ total: 23, more: 3 }]);
  const { stdout } = await runAlmanac(['notify', 'changes.json', '--as', 'markdown'], { cwd });
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toBe('## Sample\\: 23 changes');
  expect(lines.length).toBe(2 + 20 + 1);
  expect(lines.at(-1)).toBe('- [3 more](https://service.example/changes/)');
});

test('long names never make a message too long for a chat', async () => {
  const { url, received } = await webhook();
  const cwd = await catalogue();
  const many = Array.from({ length: 20 }, (_, index) => ({
    title: `${index} ${'*'.repeat(190)}`,
    starts: '2027-11-01',
  }));
  writeTree(cwd, { 'data/tv/drama/shows.json': { name: 'Shows', events: many } });
  expect(await build(cwd, '2026-11-21T12:17:00Z')).toMatchObject({ code: 0 });
  expect(await runAlmanac(['notify', 'changes.json', '--to', url, '--as', 'discord'], { cwd })).toMatchObject({
    code: 0,
  });
  const [{ embeds }] = received as [{ embeds: [{ description: string }] }];
  expect(embeds[0].description.length).toBeLessThanOrEqual(4096);
  expect(embeds[0].description).toMatch(/\n- \[\d+ more\]\(https:\/\/service\.example\/changes\/\)$/);
});

test.each([302, 400, 404, 429, 500])(
  'a webhook that answers %i is reported (not-delivered), without its address',
  async (status) => {
    const { url, received } = await webhook(status);
    const cwd = await catalogue();
    await change(cwd);
    const run = await runAlmanac(['notify', 'changes.json', '--to', url], { cwd });
    const reason = `the webhook answered with status ${status}`;
    const stderr = `the changes were not delivered: ${reason}; check the address of the webhook, and send them again\n`;
    expect(run).toEqual({ code: 1, signal: null, stdout: '', stderr });
    expect(received.length).toBe(1);
  },
);

test.each([
  ['http://127.0.0.1:1/services/s3cret', 1, 'nothing listens there (ECONNREFUSED)'],
  ['http://127.0.0.1:99999/s3cret', 2, 'found an address that is not valid'],
  ['ftp://127.0.0.1/s3cret', 2, 'found an address that is not valid'],
  ['s3cret', 2, 'found an address that is not valid'],
  ['', 2, 'found no address; expected --to URL, the variable NOTIFY_URL, or --as markdown'],
])('the address %s fails, and is never printed', async (url, code, reason) => {
  const cwd = await catalogue();
  await change(cwd);
  for (const args of [[], ['--json']]) {
    const run = await runAlmanac(['notify', 'changes.json', ...args], { cwd, env: { NOTIFY_URL: url } });
    expect(run.code).toBe(code);
    expect(run.stdout + run.stderr).toContain(reason);
    expect(run.stdout + run.stderr).not.toContain('s3cret');
  }
});

test('without a site, a link leads to the event or to the home page', async () => {
  const cwd = await catalogue();
  await change(cwd);
  const elsewhere = ['--out', 'nowhere', '--base-url', 'https://other.example/x'];
  const { stdout } = await runAlmanac(['notify', 'changes.json', '--as', 'markdown', ...elsewhere], { cwd });
  expect(stdout).toContain('[Night Ferry\\: Premiere](https://other.example/x/)');
  expect(stdout).toContain('(https://example.org/a_%28b%29|c)');
});

test.each([
  [null, 'it does not exist (ENOENT)'],
  ['{"changes":', 'it is no list of changes'],
  ['{}', 'it is no list of changes'],
])('a file with %s is refused (changes-unreadable)', async (text, reason) => {
  const cwd = tempFolder();
  if (text !== null) writeTree(cwd, { 'changes.json': text });
  const { code, stderr } = await runAlmanac(['notify', 'changes.json', '--as', 'markdown'], { cwd });
  const advice = 'name the file that almanac build --changes wrote';
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `could not read the changes in "changes.json": ${reason}; ${advice}\n`,
  });
});
