import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { EventsDocument } from '../../src/api/documents.ts';
import { openPreview } from '../../src/server/preview.ts';
import { acquireLock } from '../../src/system/lock.ts';
import { almanac as program, runAlmanac, spawnAlmanac, type Run } from '../setup/run-almanac.ts';
import { lastingFolder, moveSiteAside, readTree } from '../setup/folders.ts';

const data = join(import.meta.dirname, '../conformance/data');
const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], TZ: 'UTC' };

let folder: string;
/** The folder of temporary files of this test's servers. */
let temporary: string;
beforeEach(() => {
  folder = lastingFolder();
  temporary = lastingFolder();
  cpSync(data, join(folder, 'data'), { recursive: true });
});

/** Runs a command to its end. Only `serve` needs a process of its own. */
async function almanac(...args: string[]): Promise<Run> {
  return args[0] === 'serve' ? spawnAlmanac(args, { cwd: folder }) : runAlmanac(args, { cwd: folder });
}

/** A running server. */
interface Served {
  readonly address: string;
  /** Resolves once the text on stderr since the last call matches. */
  readonly says: (pattern: RegExp) => Promise<string>;
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

async function serve(...args: string[]): Promise<Served> {
  return serveWith([], ...args);
}

/** Serves with additional arguments for Node. */
async function serveWith(node: readonly string[], ...args: string[]): Promise<Served> {
  const child = spawn(process.execPath, [...node, program, 'serve', '--port', '0', ...args], {
    cwd: folder,
    env: { ...env, TMPDIR: temporary },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [out, err] = [listenTo(child.stdout), listenTo(child.stderr)];
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const line = await Promise.race([
    out(/^.*\n/),
    exit.then((code) => Promise.reject(new Error(`serve ended with ${code}`))),
  ]);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exit;
  };
  return { address: line.trim(), says: err, end };
}

/** Returns a function that waits until the text on a stream since the last call matches. */
function listenTo(stream: NodeJS.ReadableStream | null): (pattern: RegExp) => Promise<string> {
  let output = '';
  let look = (): void => {};
  stream?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    look();
  });
  return (pattern) =>
    new Promise((resolve) => {
      look = () => {
        const match = pattern.exec(output);
        if (match === null) return;
        output = output.slice(match.index + match[0].length);
        look = () => {};
        resolve(match[0]);
      };
      look();
    });
}

async function events(address: string, query = ''): Promise<EventsDocument> {
  return (await (await fetch(`${address}/api/v1/events${query}`)).json()) as EventsDocument;
}

describe('almanac serve', () => {
  test('prints its address once it listens, and exits 0 on a signal', async () => {
    expect(await almanac('build', '--now', '2000-01-01T00:00:00Z')).toMatchObject({ code: 0 });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const { address, end } = await serve();
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await events(address, '?limit=1')).events).toHaveLength(1);
      expect((await fetch(address)).headers.get('accept-ranges')).toBeNull();
      expect(await end(signal)).toBe(0);
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
    expect(await end('SIGTERM')).toBe(0);
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
    const failure = JSON.parse((await almanac('serve', '--json')).stdout) as { problems: { code: string }[] };
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
    expect(taken.stderr).toMatch(/could not listen on 127\.0\.0\.1:\d+: address already in use \(EADDRINUSE\)/);
    for (const port of ['-1', '65536', '1e3', 'x', '']) expect((await almanac('serve', '--port', port)).code).toBe(2);
  });

  /** Builds the site and serves it in this process. Returns the address. */
  async function preview(): Promise<string> {
    await almanac('build');
    const options = { folder: join(folder, 'dist'), host: '127.0.0.1', port: 0, now: () => Date.now() };
    const { address, close } = await openPreview(options);
    onTestFinished(close);
    return address;
  }

  test('survives malformed and hostile targets', async () => {
    const address = await preview();
    const long = '9'.repeat(200_000);
    for (const target of [
      '/../../etc/passwd',
      '//[x?y',
      '*',
      '/api/v1/category',
      '/files.json/x',
      `/${'a/'.repeat(9000)}`,
    ]) {
      expect([target, await raw(address, `GET ${target} HTTP/1.1`)]).toEqual([target, 404]);
    }
    // The path of this target is that of the home page, whatever its host is.
    expect(await raw(address, 'GET http://[bad?x HTTP/1.1')).toBe(200);
    expect(await raw(address, `GET /api/v1/events?limit=${long} HTTP/1.1`)).toBe(200);
    expect(await raw(address, `GET /api/v1/events?genre=${long} HTTP/1.1`)).toBe(404);
    expect(await raw(address, `GET /api/v1/events?${'a=1&'.repeat(50_000)}limit=0 HTTP/1.1`)).toBe(400);
    expect(await raw(address, 'TRACE /assets/style.css HTTP/1.1')).toBe(405);
    expect(await raw(address, 'OPTIONS * HTTP/1.1')).toBe(204);
    const posted = await fetch(`${address}/api/v1/events`, { method: 'POST', body: 'x'.repeat(5_000_000) });
    expect(posted.status).toBe(405);
    expect((await events(address)).limit).toBe(200);
  });

  test('serves pages and their files with types, ETags and ranges', async () => {
    const address = await preview();
    const get = (path: string, headers: Record<string, string> = {}) => fetch(`${address}/${path}`, { headers });
    const style = await get('assets/style.css');
    expect([style.status, style.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/css\b/)]);
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
    expect(await (await get('')).text()).toBe(readFileSync(join(folder, 'dist/index.html'), 'utf8'));
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
  test('builds at the start and after every edit, new folder and removed folder', async () => {
    const { address, says, end } = await serve('--watch', '--now', '2026-11-20T12:00:00Z');
    expect((await events(address)).total).toBe(208);
    await says(/Serving/);
    const subject = join(folder, 'data/film/drama/les-miserables.json');
    writeFileSync(subject, readFileSync(subject, 'utf8').replace('2998-02-01', '2001-02-01'));
    await says(/Built .*207/);
    expect((await events(address)).total).toBe(207);
    mkdirSync(join(folder, 'data/music/pop'), { recursive: true });
    writeFileSync(join(folder, 'data/music/category.json'), '{"name":"Music"}');
    writeFileSync(join(folder, 'data/music/pop/genre.json'), '{"name":"Pop"}');
    await says(/Built/);
    writeFileSync(join(folder, 'data/music/pop/a.json'), '{"name":"A","events":[{"title":"B","starts":"2998-01-01"}]}');
    await says(/Built .*208/);
    expect((await events(address, '?genre=pop-music')).total).toBe(1);
    rmSync(join(folder, 'data/music'), { recursive: true });
    await says(/Built .*207/);
    expect((await fetch(`${address}/api/v1/genres?category=music`)).status).toBe(404);
    expect(await end('SIGINT')).toBe(0);
  });

  /** Each leaves the data unchanged, but replaces a folder or removes it for a time. */
  const at = (path: string): string => join(folder, path);
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
    const subject = at('data/film/drama/les-miserables.json');
    const good = readFileSync(subject, 'utf8');
    writeFileSync(subject, good.replace('2998-02-01', '2001-02-01'));
    await says(/Built .*207/);
    writeFileSync(subject, good);
    await says(/Built .*208/);
  });

  test('reports once that it cannot watch every folder (watch-refused), and watches the others', async () => {
    const refuse = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { watch } = fs;
      let left = 2;
      fs.watch = (...args) => {
        if (left-- > 0) return watch(...args);
        throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), { code: 'ENOSPC' });
      };
      syncBuiltinESMExports();`;
    const node = ['--import', `data:text/javascript,${encodeURIComponent(refuse)}`];
    const { says } = await serveWith(node, '--watch', '--now', '2026-11-20T12:00:00Z');
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
    expect(await end('SIGINT')).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(['data']);
  });

  test('keeps the previous site while the data is invalid, and reports the problem', async () => {
    const { address, says } = await serve('--watch', '--now', '2026-11-20T12:00:00Z');
    await says(/Serving/);
    const subject = join(folder, 'data/film/drama/les-miserables.json');
    const good = readFileSync(subject, 'utf8');
    writeFileSync(subject, good.replace('2998-02-01T19:30', '2998-02-30'));
    await says(/les-miserables\.json:\d+:\d+: found starts "2998-02-30"[^]*the preview stays as it was/);
    expect((await events(address)).total).toBe(208);
    writeFileSync(subject, good.replace('2998-02-01', '2001-02-01'));
    await says(/Built .*207/);
    expect((await events(address)).total).toBe(207);
  });

  test('keeps the previous site while another process is replacing it, and builds after the next change', async () => {
    const { address, says, end } = await serve('--watch', '--out', 'dist', '--now', '2026-11-20T12:00:00Z');
    await says(/Serving/);
    const lock = acquireLock(at('.dist.almanac-lock'));
    if ('owner' in lock) throw new Error(`the lock is held by ${lock.owner}`);
    const subject = at('data/film/drama/les-miserables.json');
    const next = readFileSync(subject, 'utf8').replace('2998-02-01', '2001-02-01');
    writeFileSync(subject, next);
    await says(/process \d+[^]*dist stays as it was\n/);
    expect((await events(address)).total).toBe(208);
    lock.release();
    writeFileSync(subject, next);
    await says(/Built .*207/);
    expect(await end('SIGTERM')).toBe(0);
  });

  test('uses its own address as the base URL, although service.json has another, and leaves dist/ alone', async () => {
    expect(JSON.parse(readFileSync(join(folder, 'data/service.json'), 'utf8'))).toHaveProperty('base_url');
    await almanac('build', '--now', '2026-11-20T12:00:00Z');
    const published = readTree(join(folder, 'dist'));
    const documentation = async (at: string): Promise<unknown> =>
      ((await (await fetch(`${at}/api/v1/index.json`)).json()) as { documentation: unknown }).documentation;
    const { address, says, end } = await serve('--watch');
    expect(await says(/Built the preview for .*:\d+:/)).toBe(`Built the preview for ${address}:`);
    expect(await documentation(address)).toBe(`${address}/api/v1/`);
    const modes = readdirSync(temporary).map((name) => statSync(join(temporary, name)).mode & 0o777);
    expect(modes).toEqual([0o700]);
    await end('SIGINT');
    expect(readdirSync(temporary)).toEqual([]);
    expect(readTree(join(folder, 'dist'))).toEqual(published);
    const given = await serve('--watch', '--base-url', 'https://given.example');
    expect(await documentation(given.address)).toBe('https://given.example/api/v1/');
  });

  test('serves the previous site if the data is invalid from the start; fails if there is none', async () => {
    const service = join(folder, 'data/service.json');
    const good = readFileSync(service, 'utf8');
    writeFileSync(service, '{');
    const failed = await almanac('serve', '--watch', '--port', '0');
    expect([failed.code, failed.stdout]).toEqual([1, '']);
    expect(failed.stderr).toMatch(/service\.json:1:2: /);
    expect(existsSync(join(folder, 'dist'))).toBe(false);
    writeFileSync(service, good);
    await almanac('build');
    writeFileSync(service, '{');
    const { address, says } = await serve('--watch', '--out', 'dist');
    await says(/service\.json:1:2: /);
    expect((await fetch(`${address}/api/v1`)).status).toBe(200);
  });
});

/** Sends a request line as it is. Returns the status of the response. */
function raw(address: string, line: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const socket = connect(Number(new URL(address).port), '127.0.0.1', () => {
      socket.write(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    });
    socket.on('data', (chunk) => (output += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(Number(output.split(' ')[1])));
  });
}
