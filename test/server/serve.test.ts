import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { EventsDocument } from '../../src/api/documents.ts';
import { openPreview } from '../../src/server/preview.ts';
import { acquireLock } from '../../src/system/lock.ts';
import { askOver } from '../conformance/run-rows.ts';
import { almanac as program, runAlmanac, type Run } from '../setup/run-almanac.ts';
import { lastingFolder, moveSiteAside, readTree } from '../setup/folders.ts';

const data = join(import.meta.dirname, '../conformance/data');

let folder: string;
/** The folder of temporary files of this test's servers. */
let temporary: string;
beforeEach(() => {
  folder = lastingFolder();
  temporary = lastingFolder();
  cpSync(data, join(folder, 'data'), { recursive: true });
  vi.stubEnv('TMPDIR', temporary);
  return () => void vi.unstubAllEnvs();
});

const at = (path: string): string => join(folder, path);
const subject = 'data/film/drama/les-miserables.json';

/** Replaces a part of a file. */
function edit(path: string, part: string, other: string): void {
  writeFileSync(at(path), readFileSync(at(path), 'utf8').replace(part, other));
}

async function almanac(...args: string[]): Promise<Run> {
  return runAlmanac(args, { cwd: folder, ended: Promise.resolve() });
}

/** A running server. */
interface Served {
  readonly address: string;
  /** Resolves once the text on stderr since the last call matches. */
  readonly says: (pattern: RegExp) => Promise<string>;
  /** Ends it as a signal does. Resolves with the exit code. */
  readonly end: () => Promise<number | null>;
}

/** Serves in this process until the test ends. */
async function serve(...args: string[]): Promise<Served> {
  const [stdout, stderr] = [new Output(), new Output()];
  let stop = (): void => {};
  const ended = new Promise<void>((resolve) => (stop = resolve));
  const run = runAlmanac(['serve', '--port', '0', ...args], { cwd: folder, ended, stdout, stderr });
  const end = async (): Promise<number | null> => {
    stop();
    return (await run).code;
  };
  onTestFinished(async () => void (await end()));
  const failed = run.then(({ code }) => Promise.reject(new Error(`serve ended with ${code}`)));
  failed.catch(() => {});
  const line = await Promise.race([stdout.says(/^.*\n/), failed]);
  return { address: line.trim(), says: async (pattern) => stderr.says(pattern), end };
}

class Output {
  text = '';
  #look = (): void => {};

  write(text: string): boolean {
    this.text += text;
    this.#look();
    return true;
  }

  /** Resolves once the text since the last call matches. */
  async says(pattern: RegExp): Promise<string> {
    return new Promise((resolve) => {
      this.#look = () => {
        const match = pattern.exec(this.text);
        if (match === null) return;
        this.text = this.text.slice(match.index + match[0].length);
        this.#look = () => {};
        resolve(match[0]);
      };
      this.#look();
    });
  }
}

async function events(address: string, query = ''): Promise<EventsDocument> {
  return (await (await fetch(`${address}/api/v1/events${query}`)).json()) as EventsDocument;
}

describe('almanac serve', () => {
  test('prints its address once it listens, and exits 0 on a signal', async () => {
    expect(await almanac('build', '--now', '2000-01-01T00:00:00Z')).toMatchObject({ code: 0 });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const child = spawn(process.execPath, [program, 'serve', '--port', '0'], { cwd: folder });
      onTestFinished(() => void child.kill('SIGKILL'));
      const address = String((await once(child.stdout, 'data'))[0]).trim();
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await events(address, '?limit=1')).events).toHaveLength(1);
      expect((await fetch(address)).headers.get('accept-ranges')).toBeNull();
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
      await expect(fetch(address)).rejects.toThrow();
    }
  });

  test('exits even if a client keeps its connection open', async () => {
    await almanac('build');
    // An empty --host means this machine only.
    const { address, end } = await serve('--json', '--host', '');
    const { address: url } = JSON.parse(address) as { address: string };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    expect(await end()).toBe(0);
    await closed;
  });

  test('--now sets a clock that does not move', async () => {
    await almanac('build', '--now', '2000-01-01T00:00:00Z');
    const { address } = await serve('--now', '2001-05-01T19:59:59.999Z');
    expect((await events(address)).total).toBe(209);
    const later = await serve('--now', '2001-05-01T20:00:00Z');
    expect((await events(later.address)).total).toBe(208);
  });

  test('explains how to build a site if there is none', async () => {
    const { code, stdout, stderr } = await almanac('serve', '--port', '0');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/found no site at "dist".*almanac build/);
    const failure = JSON.parse((await almanac('serve', '--json')).stdout) as {
      problems: { code: string }[];
    };
    expect(failure.problems.map(({ code }) => code)).toEqual(['site-missing']);
  });

  test('restores a site that a killed build had moved', async () => {
    await almanac('build');
    moveSiteAside(join(folder, 'dist'));
    const { address } = await serve();
    expect((await fetch(`${address}/files.json`)).status).toBe(200);
  });

  test('reports a port that is in use (address-refused) or not a port', async () => {
    await almanac('build');
    const { address } = await serve();
    const taken = await almanac('serve', '--port', new URL(address).port);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toMatch(
      /could not listen on 127\.0\.0\.1:\d+: address already in use \(EADDRINUSE\)/,
    );
    for (const port of ['-1', '65536', '1e3', 'x', ''])
      expect((await almanac('serve', '--port', port)).code).toBe(2);
  });

  /** Builds the site and serves it in this process. Returns the address. */
  async function preview(): Promise<string> {
    await almanac('build');
    const options = {
      folder: join(folder, 'dist'),
      host: '127.0.0.1',
      port: 0,
      now: () => Date.now(),
    };
    const { address, close } = await openPreview(options);
    onTestFinished(close);
    return address;
  }

  test('survives malformed and hostile targets', async () => {
    const address = await preview();
    const ask = askOver(address);
    const statusOf = async (path: string, method = 'GET'): Promise<number> =>
      (await ask(path, method, {})).status;
    const long = '9'.repeat(200_000);
    for (const path of [
      '../../etc/passwd',
      '/[x?y',
      'api/v1/category',
      'files.json/x',
      'a/'.repeat(9000),
    ])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    expect(await statusOf(`api/v1/events?limit=${long}`)).toBe(200);
    expect(await statusOf(`api/v1/events?genre=${long}`)).toBe(404);
    expect(await statusOf(`api/v1/events?${'a=1&'.repeat(50_000)}limit=0`)).toBe(400);
    expect(await statusOf('assets/style.css', 'TRACE')).toBe(405);
    const posted = await fetch(`${address}/api/v1/events`, {
      method: 'POST',
      body: 'x'.repeat(5_000_000),
    });
    expect(posted.status).toBe(405);
    expect((await events(address)).limit).toBe(200);
  });

  test('refuses the name of another host', async () => {
    const address = await preview();
    const ask = askOver(address);
    const { port } = new URL(address);
    const statusOf = async (host: string): Promise<number> =>
      (await ask('', 'GET', { host })).status;
    for (const host of ['localhost', `127.0.0.1:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect([host, await statusOf(host)]).toEqual([host, 200]);
    for (const host of ['evil.example', `127.0.0.1.evil.example:${port}`, 'localhost.evil.example'])
      expect([host, await statusOf(host)]).toEqual([host, 421]);
  });

  test('serves pages and their files with types, ETags and ranges', async () => {
    const address = await preview();
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${address}/${path}`, { headers });
    const style = await get('assets/style.css');
    expect([style.status, style.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/css\b/),
    ]);
    expect(style.headers.get('cache-control')).toBe('public, max-age=300');
    expect(style.headers.get('access-control-allow-origin')).toBe('*');
    const text = readFileSync(join(folder, 'dist/assets/style.css'), 'utf8');
    expect(await style.text()).toBe(text);
    const etag = style.headers.get('etag') ?? '';
    expect((await get('assets/style.css', { 'If-None-Match': etag })).status).toBe(304);
    const head = await fetch(`${address}/assets/style.css`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag]);
    const range = await get('assets/style.css', { Range: 'bytes=1-3' });
    expect([range.status, await range.text()]).toEqual([206, text.slice(1, 4)]);
    expect(await (await get('')).text()).toBe(
      readFileSync(join(folder, 'dist/index.html'), 'utf8'),
    );
    expect((await get('files.json')).headers.get('content-type')).toBe('application/json');
    for (const missing of ['assets', 'assets/', 'assets/none.css']) {
      expect([missing, (await get(missing)).status]).toEqual([missing, 404]);
    }
    writeFileSync(join(folder, 'dist/api/v1/index.json'), '{');
    const failed = await get('api/v1/genres?category=none');
    const headers = ['content-type', 'cache-control', 'access-control-allow-origin'].map((name) =>
      failed.headers.get(name),
    );
    expect([failed.status, ...headers]).toEqual([500, 'text/plain', 'no-store', '*']);
  });
});

describe('almanac serve --watch', () => {
  test('builds at the start and after every valid edit, new folder and removed folder', async () => {
    const { address, says, end } = await serve('--watch', '--now', '2026-11-20T12:00:00Z');
    expect((await events(address)).total).toBe(208);
    await says(/Serving/);
    edit(subject, '2998-02-01T19:30', '2998-02-30');
    await says(
      /les-miserables\.json:\d+:\d+: found starts "2998-02-30"[^]*the preview stays as it was/,
    );
    expect((await events(address)).total).toBe(208);
    edit(subject, '2998-02-30', '2001-02-01');
    await says(/Built .*207/);
    expect((await events(address)).total).toBe(207);
    mkdirSync(join(folder, 'data/music/pop'), { recursive: true });
    writeFileSync(join(folder, 'data/music/category.json'), '{"name":"Music"}');
    writeFileSync(join(folder, 'data/music/pop/genre.json'), '{"name":"Pop"}');
    await says(/Built/);
    writeFileSync(
      join(folder, 'data/music/pop/a.json'),
      '{"name":"A","events":[{"title":"B","starts":"2998-01-01"}]}',
    );
    await says(/Built .*208/);
    expect((await events(address, '?genre=pop-music')).total).toBe(1);
    rmSync(join(folder, 'data/music'), { recursive: true });
    await says(/Built .*207/);
    expect((await fetch(`${address}/api/v1/genres?category=music`)).status).toBe(404);
    expect(await end()).toBe(0);
  });

  test('follows files and folders of the repository that sources name', async () => {
    mkdirSync(at('_data'));
    mkdirSync(at('content/events'), { recursive: true });
    writeFileSync(at('_data/events.yml'), '- title: A\n  starts: 2998-01-01\n');
    writeFileSync(at('content/events/b.md'), '---\ntitle: B\nstarts: 2998-01-01\n---\n');
    for (const file of ['_data/events.yml', 'content/events']) {
      const name = `data/film/drama/${file.replace(/\W+/g, '-').replace(/^_/, '')}.source.json`;
      writeFileSync(at(name.replace('/-', '/')), JSON.stringify({ file }));
    }
    const { says, end } = await serve('--watch', '--now', '2026-11-20T12:00:00Z');
    await says(/Serving/);
    edit('_data/events.yml', '2998-01-01', '2001-01-01');
    await says(/Built .*209/);
    writeFileSync(at('content/events/c.md'), '---\ntitle: C\nstarts: 2998-01-01\n---\n');
    await says(/Built .*210/);
    expect(await end()).toBe(0);
  });

  test('follows a file of the repository after a mistake in it, and one that is not there yet', async () => {
    const { says, end } = await serve('--watch', '--now', '2026-11-20T12:00:00Z');
    await says(/Serving/);
    const source = { file: '_data/events.yml', format: 'yaml' };
    writeFileSync(at('data/film/drama/list.source.json'), JSON.stringify(source));
    await says(/there is no such file[^]*stays as it was/);
    mkdirSync(at('_data'));
    writeFileSync(at('_data/events.yml'), '- title: A\n  starts: 2998-02-30\n');
    await says(/2998-02-30[^]*stays as it was/);
    edit('_data/events.yml', '2998-02-30', '2998-02-03');
    await says(/Built .*209/);
    expect(await end()).toBe(0);
  });

  test.each([[], ['--out', 'dist']])('follows the public folder (%s)', async (...out) => {
    const { address, says } = await serve('--watch', '--now', '2026-11-20T12:00:00Z', ...out);
    await says(/Serving/);
    const get = async (): Promise<string> => (await fetch(`${address}/hello.txt`)).text();
    mkdirSync(at('public'));
    writeFileSync(at('public/hello.txt'), 'one');
    await says(/Built/);
    await vi.waitFor(async () => expect(await get()).toBe('one'), { timeout: 60_000 });
    writeFileSync(at('public/hello.txt'), 'two');
    await vi.waitFor(async () => expect(await get()).toBe('two'), { timeout: 60_000 });
    writeFileSync(at('public/index.html'), 'taken');
    await says(/public\/index\.html:1:1: [^]*stays as it was/);
    rmSync(at('public'), { recursive: true });
    await says(/Built/);
    expect((await fetch(`${address}/hello.txt`)).status).toBe(404);
  });

  test('an open page loads again after an edit, and only a document has the script for it', async () => {
    const { address, says } = await serve('--watch', '--now', '2026-11-20T12:00:00Z');
    await says(/Serving/);
    const get = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(address + path, { headers });
    const plain = await (await get('/')).text();
    const opened = await get('/', { 'Sec-Fetch-Dest': 'document' });
    const script = '<script src="/.almanac/reload.js"></script>';
    expect((await opened.text()).replace(script, '')).toBe(plain);
    expect(plain).not.toContain('.almanac');
    expect(opened.headers.get('cache-control')).toBe('no-cache');
    const list = await get('/api/v1/events', { 'Sec-Fetch-Dest': 'document' });
    expect(await list.text()).not.toContain('.almanac');
    const reload = await get('/.almanac/reload.js');
    expect(reload.headers.get('content-type')).toBe('text/javascript');
    expect(await reload.text()).toContain("new EventSource('/.almanac/events')");
    const stream = await get('/.almanac/events');
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader?.read()).toMatchObject({ value: 'retry: 500\n\n' });
    edit(subject, '2998-02-01T19:30', '2998-02-30');
    await says(/stays as it was/);
    edit(subject, '2998-02-30', '2001-02-01');
    // The mistake in between told it nothing.
    expect(await reader?.read()).toMatchObject({ value: 'data: reload\n\n' });
    expect((await get('/files.json')).status).toBe(200);
    expect(readdirSync(folder)).toEqual(['data']);
  });

  /** Each leaves the data unchanged, but replaces a folder or removes it for a time. */
  const replacements: Readonly<Record<string, (says: Served['says']) => Promise<void> | void>> = {
    'a genre, by a renamed folder': () => {
      cpSync(at('data/film/drama'), at('new'), { recursive: true });
      renameSync(at('data/film/drama'), at('old'));
      renameSync(at('new'), at('data/film/drama'));
    },
    'the data, removed and copied back': async (says) => {
      cpSync(at('data'), at('backup'), { recursive: true });
      rmSync(at('data'), { recursive: true });
      await says(/found no folder "data"[^]*stays as it was/);
      cpSync(at('backup'), at('data'), { recursive: true });
    },
    'the data, by a link to another folder': () => {
      cpSync(at('elsewhere'), at('other'), { recursive: true });
      symlinkSync(at('other'), at('link'));
      renameSync(at('link'), at('data'));
    },
  };
  test.each(Object.keys(replacements))('follows a replaced folder: %s', async (name) => {
    renameSync(at('data'), at('elsewhere'));
    if (name.includes('link')) symlinkSync(at('elsewhere'), at('data'));
    else renameSync(at('elsewhere'), at('data'));
    const { says } = await serve('--watch', '--now', '2026-11-20T12:00:00Z');
    await says(/Serving/);
    await replacements[name]?.(says);
    await says(/Built .*208/);
    edit(subject, '2998-02-01', '2001-02-01');
    await says(/Built .*207/);
    edit(subject, '2001-02-01', '2998-02-01');
    await says(/Built .*208/);
  });

  test('reports once that it cannot watch every folder (watch-refused), and watches the others', async () => {
    const { watch } = fs;
    let left = 2;
    fs.watch = ((...args: Parameters<typeof watch>) => {
      if (left-- > 0) return watch(...args);
      throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
        code: 'ENOSPC',
      });
    }) as typeof watch;
    syncBuiltinESMExports();
    onTestFinished(() => {
      fs.watch = watch;
      syncBuiltinESMExports();
    });
    const { says } = await serve('--watch', '--now', '2026-11-20T12:00:00Z');
    const output = await says(/^[^]*Serving.*\n/);
    expect(output.match(/^warning: .*/gm)).toEqual([
      'warning: the system refuses to watch more folders, so some changes in "data" go unnoticed; ' +
        'raise the limit, for example with sudo sysctl fs.inotify.max_user_watches=524288, and start this again',
    ]);
    mkdirSync(at('data/music'));
    writeFileSync(at('data/music/category.json'), '{"name":"Music"}');
    await says(/Built .*208/);
  });

  test('exits during a build and leaves nothing next to the site', async () => {
    const { says, end } = await serve('--watch', '--now', '2026-11-20T12:00:00Z');
    await says(/Serving/);
    renameSync(at('data/tv'), at('data/television'));
    await says(/Built/);
    renameSync(at('data/television'), at('data/tv'));
    expect(await end()).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(['data']);
  });

  test('keeps the previous site while another process is replacing it, and builds after the next change', async () => {
    const { address, says, end } = await serve(
      '--watch',
      '--out',
      'dist',
      '--now',
      '2026-11-20T12:00:00Z',
    );
    await says(/Serving/);
    const lock = acquireLock(at('.dist.almanac-lock'));
    if ('owner' in lock) throw new Error(`the lock is held by ${lock.owner}`);
    edit(subject, '2998-02-01', '2001-02-01');
    await says(/process \d+[^]*dist stays as it was\n/);
    expect((await events(address)).total).toBe(208);
    lock.release();
    edit(subject, '2001', '2001');
    await says(/Built .*207/);
    expect(await end()).toBe(0);
  });

  test('uses its own address as the base URL, although service.json has another, and leaves dist/ alone', async () => {
    expect(JSON.parse(readFileSync(join(folder, 'data/service.json'), 'utf8'))).toHaveProperty(
      'base_url',
    );
    await almanac('build', '--now', '2026-11-20T12:00:00Z');
    const published = readTree(join(folder, 'dist'));
    const documentation = async (at: string): Promise<unknown> =>
      ((await (await fetch(`${at}/api/v1/index.json`)).json()) as { documentation: unknown })
        .documentation;
    const { address, says, end } = await serve('--watch');
    expect(await says(/Built the preview for .*:\d+:/)).toBe(`Built the preview for ${address}:`);
    expect(await documentation(address)).toBe(`${address}/api/v1/`);
    await end();
    expect(readdirSync(temporary)).toEqual([]);
    expect(readTree(join(folder, 'dist'))).toEqual(published);
    const given = await serve('--watch', '--base-url', 'https://given.example');
    expect(await documentation(given.address)).toBe('https://given.example/api/v1/');
  });

  test('serves the previous site if the data is invalid from the start; fails if there is none', async () => {
    edit('data/service.json', '{', '{{');
    const failed = await almanac('serve', '--watch', '--port', '0');
    expect([failed.code, failed.stdout]).toEqual([1, '']);
    expect(failed.stderr).toMatch(/service\.json:1:2: /);
    expect(existsSync(join(folder, 'dist'))).toBe(false);
    edit('data/service.json', '{{', '{');
    await almanac('build');
    edit('data/service.json', '{', '{{');
    const { address, says } = await serve('--watch', '--out', 'dist');
    await says(/service\.json:1:2: /);
    expect((await fetch(`${address}/api/v1`)).status).toBe(200);
  });
});
