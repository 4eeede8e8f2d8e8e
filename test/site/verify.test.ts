import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { generator } from '../../src/cli/shell.ts';
import { openSite } from '../../src/site/site.ts';
import { verifySite } from '../../src/site/verify.ts';
import { ProblemError } from '../../src/problem/problem.ts';
import { buildSite } from '../setup/build-site.ts';
import { editManifest, editSite } from '../setup/edit-site.ts';
import { lastingFolder, tempFolder } from '../setup/folders.ts';
import { plainHost, sendForever } from '../setup/host.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { serve, serveByHandler, serveFolder } from '../setup/serve-folder.ts';

const now = '2026-11-20T12:17:00Z';
const many = Object.fromEntries(
  Array.from({ length: 150 }, (_, day) => [`Day ${day}`, { starts: `2027-01-15T12:00Z` }]),
);
const events = {
  'tv/drama/severance': {
    'Season 3': '2027-01-15',
    Finale: { starts: '2027-03-19T21:00', zone: 'America/New_York' },
  },
  'tv/daily/show': many,
  'tv/hourly/show': many,
  'space/moon/moon': {},
};
/** One event a day, more than a list holds. */
const expiring = {
  ...events,
  // In this zone, each date ends first.
  'tv/drama/new-year': { Fireworks: { starts: '2027-01-01', zone: 'Pacific/Kiritimati' } },
  'tv/daily/show': Object.fromEntries(
    Array.from({ length: 250 }, (_, day) => [
      `Day ${day}`,
      new Date(Date.UTC(2027, 0, 1 + day, 12)).toISOString().slice(0, 16) + 'Z',
    ]),
  ),
};

const built = { events: '', expiring: '' };
beforeAll(async () => {
  const service = { pages: 'home' };
  built.events = await buildSite(events, now, {
    cwd: lastingFolder(),
    source: lastingFolder(),
    service,
  });
  built.expiring = await buildSite(expiring, now, {
    cwd: lastingFolder(),
    source: lastingFolder(),
    service,
  });
});

/** Copies a site, so that a test can damage it. */
function copyOf(site: string): string {
  const copy = join(tempFolder(), 'dist');
  cpSync(site, copy, { recursive: true });
  return copy;
}

// oxlint-disable-next-line typescript/no-explicit-any -- documents are damaged in every way
type Json = Record<string, any>;

function readJson(dist: string, path: string): Json {
  return JSON.parse(readFileSync(join(dist, path), 'utf8')) as Json;
}

/** Changes a document and its entry in the manifest, so that the hash still matches. */
function forge(dist: string, path: string, change: (document: Json) => void): void {
  editSite(dist, path, (text) => changed(text, change), true);
}

/** Changes every record of a file with one record per line, and its entry in the manifest. */
function forgeLines(
  dist: string,
  path: string,
  change: (record: Json, index: number) => void,
): void {
  const all = (text: string): string[] => text.split('\n').slice(0, -1);
  editSite(
    dist,
    path,
    (text) =>
      all(text)
        .map((line, at) => changed(line, (one) => change(one, at)))
        .join(''),
    true,
  );
}

function changed(text: string, change: (document: Json) => void): string {
  const document = JSON.parse(text) as Json;
  change(document);
  return `${JSON.stringify(document)}\n`;
}

interface Found {
  readonly codes: string[];
  readonly files: (string | null)[];
}

const whole: Found = { codes: [], files: [] };

/**
 * Verifies a site. Returns the distinct codes of its problems and the distinct files, with a line
 * unless it is 1.
 */
async function verify(at: string): Promise<Found> {
  const { problems } = await verifySite(openSite(at, '.'), { generator }).catch(
    (error: unknown) => {
      if (error instanceof ProblemError) return error;
      throw error;
    },
  );
  const fileOf = (file: string, line: number): string =>
    file.slice(at.length + 1) + (line === 1 ? '' : `:${line}`);
  return {
    codes: [...new Set(problems.map(({ code }) => code))],
    files: [...new Set(problems.map(({ place }) => place && fileOf(place.file, place.line)))],
  };
}

test('accepts a new site, in a folder and on a host', async () => {
  expect(await verify(built.events)).toEqual(whole);
  expect(await verify(await serveFolder(built.events))).toEqual(whole);
});

test('the command prints what it checked, or prints problems and exits 1', async () => {
  const dist = copyOf(built.events);
  const { code, stdout, stderr } = await runAlmanac(['verify', dist, '--json'], {
    cwd: tempFolder(),
  });
  const report = JSON.parse(stdout) as Json;
  expect({ code, stderr, report }).toMatchObject({
    code: 0,
    stderr: '',
    report: {
      ok: true,
      files: Object.keys(readJson(dist, 'files.json')['files'] as Json).length,
      cut: 0,
    },
  });
  expect(report['documents']).toBeGreaterThan(20);
  rmSync(join(dist, 'index.html'));
  const broken = await runAlmanac(['verify', dist], { cwd: tempFolder() });
  expect(broken).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('index.html:1:1: '),
  });
});

const genre = 'api/v1/genre/drama-tv/events.json';
const lines = 'api/v1/genre/drama-tv/events.ndjson';

test.each([
  '2027-01-01T10:00:00Z',
  '2027-01-17T12:00:00Z',
  '2027-01-16T00:00:00Z',
  '2030-01-01T00:00:00Z',
])(
  'accepts a host that leaves out the events that have expired by %s, and reports what it could not check',
  async (at) => {
    const address = await serveByHandler(built.expiring, () => Date.parse(at));
    const { code, stdout } = await runAlmanac(['verify', address], { cwd: tempFolder() });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /; \d+ lists without expired events, checked by schema only\)\n$/,
      ),
    });
  },
);

test('accepts that a host does not serve names that begin with a dot, but no other missing file', async () => {
  const without = async (prefix: string): Promise<Found> =>
    verify(await serveFolder(built.events, (path) => (path.startsWith(prefix) ? 404 : 200)));
  expect(await without('.')).toEqual(whole);
  expect(await without('index.html')).toEqual({
    codes: ['site-file-missing'],
    files: ['index.html'],
  });
});

test('rejects a list on a host that does not fit its schema', async () => {
  const dist = copyOf(built.events);
  editSite(dist, genre, (text) => changed(text, (list) => delete list['total']));
  expect(await verify(await serveFolder(dist))).toEqual({
    codes: ['site-document-invalid'],
    files: [genre],
  });
});

test.each([
  'api/v1/index.json',
  'api/v1/index.html',
  'api/v1/openapi.json',
  'api/v1/events.ics',
  'api/v1/category/tv/events.ics',
  'api/v1/genre/drama-tv/events.ics',
  'api/v1/categories',
  'api/v1/category/space/genres.json',
  'api/v1/category/space/genre/drama-tv/events.json',
  'index.html',
  '404.html',
  '404.json',
  '.nojekyll',
])('rejects a site without %s, even if its manifest does not list the file', async (path) => {
  const dist = copyOf(built.events);
  editSite(dist, path, () => null, true);
  expect(await verify(dist)).toEqual({ codes: ['site-incomplete'], files: [path] });
});

test.each<[string, string, string, (dist: string) => void]>([
  ['a file is missing', 'site-file-missing', genre, (dist) => rmSync(join(dist, genre))],
  ['a byte differs', 'site-file-changed', genre, (dist) => writeFileSync(join(dist, genre), '{}')],
  [
    'a file is not listed',
    'site-file-unlisted',
    'notes.txt',
    (dist) => writeFileSync(join(dist, 'notes.txt'), ''),
  ],
])('rejects a site if %s', async (_, code, file, damage) => {
  const dist = copyOf(built.events);
  damage(dist);
  expect(await verify(dist)).toEqual({ codes: [code], files: [file] });
});

test.each<[string, string, number, (document: Json) => void]>([
  ['does not fit its schema', genre, 1, (list) => (list['events'] = 'none')],
  ['has no detail', '404.json', 1, (problem) => delete problem['detail']],
  ['has a state that does not exist', lines, 1, (event) => (event['state'] = 'done')],
  ['is announced with a date', lines, 2, (event) => (event['state'] = 'announced')],
])('rejects a document or record that %s', async (_, file, line, change) => {
  const dist = copyOf(built.events);
  forgeLines(dist, file, (record, index) => index === line - 1 && change(record));
  const place = line === 1 ? file : `${file}:${line}`;
  expect(await verify(dist)).toEqual({ codes: ['site-document-invalid'], files: [place] });
});

describe('a site of another version of almanac', () => {
  /**
   * Makes the same change in every list of events, and sets another version as the generator of the
   * site.
   */
  const forgeVersion = (dist: string, version: string, change: (event: Json) => void): void => {
    const paths = Object.keys(readJson(dist, 'files.json')['files'] as Json);
    for (const path of paths.filter((one) => /(events(\.json)?|next\.json)$/.test(one)))
      forge(dist, path, (d) => (d['events'] as Json[]).forEach(change));
    for (const path of paths.filter((one) => one.endsWith('events.ndjson')))
      forgeLines(dist, path, change);
    editSite(dist, 'files.json', (text) =>
      changed(text, (all) => Object.assign(all, { generator: version, more: true })),
    );
  };

  test.each([generator, 'almanac/99.0.0'])(
    'is accepted with fields that this version does not know: %s',
    async (version) => {
      const dist = copyOf(built.events);
      forgeVersion(dist, version, (event) => {
        event['fieldOfTheFuture'] = { name: 'Hall' };
        event['subject'].aliases = [];
      });
      forge(dist, 'api/v1/index.json', (d) => (d['contact'] = null));
      expect(await runAlmanac(['verify', dist], { cwd: tempFolder() })).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(': whole ('),
        stderr: expect.stringMatching(
          /^note: found [^\n]* in only one of two versions; almanac\/[^\n]* built this site, so it may differ there\n$/,
        ),
      });
      const { stdout } = await runAlmanac(['verify', dist, '--json'], { cwd: tempFolder() });
      const { warnings } = JSON.parse(stdout) as { warnings: { code: string; message: string }[] };
      expect(warnings).toMatchObject([{ code: 'site-version-differs' }]);
      for (const field of ['more', 'aliases', 'fieldOfTheFuture', 'contact'])
        expect(warnings[0]?.message).toContain(field);
    },
  );

  test('is accepted without the fields and files that it did not publish', async () => {
    const dist = copyOf(built.events);
    forgeVersion(dist, 'almanac/0.9.0', (event) => delete event['zone']);
    for (const path of ['api/v1/events.ics', 'api/v1/genre/drama-tv/events.ics'])
      editSite(dist, path, () => null, true);
    expect(await verify(dist)).toEqual(whole);
    const { code, stderr } = await runAlmanac(['verify', dist], { cwd: tempFolder() });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'note: found more, zone, api/v1/events.ics, api/v1/genre/drama-tv/events.ics in only one of two versions; ' +
        'almanac/0.9.0 built this site, so it may differ there\n',
    });
  });

  test.each<[string, (event: Json) => void]>([
    ['has another type', (event) => (event['zone'] = 7)],
    ['breaks a rule', (event) => (event['starts_at'] = '2027-01-15T21:00')],
  ])('is rejected if a known field %s', async (_, change) => {
    const dist = copyOf(built.events);
    forgeVersion(dist, 'almanac/99.0.0', change);
    expect((await verify(dist)).codes).not.toEqual([]);
  });
});

test.each([
  ['{"files":', 'site-unreadable'],
  ['{"generator":"other/1","files":{}}', 'site-unreadable'],
  ['{"generator":"almanac/1.0.0","files":{}}', 'site-incomplete'],
])('refuses the manifest %s', async (text, code) => {
  const dist = tempFolder();
  writeFileSync(join(dist, 'files.json'), text);
  expect(await verify(dist)).toMatchObject({ codes: [code] });
});

test('distinguishes a missing site, a host that refuses and a host that does not answer', async () => {
  expect(await verify(tempFolder())).toMatchObject({ codes: ['site-missing'] });
  expect(await verify(join(tempFolder(), 'not/there'))).toMatchObject({ codes: ['site-missing'] });
  expect(await verify(await serveFolder(tempFolder()))).toMatchObject({ codes: ['site-missing'] });
  expect(await verify(await serveFolder(tempFolder(), () => 403))).toMatchObject({
    codes: ['site-unreadable'],
  });
  expect(await verify('http://127.0.0.1:1')).toMatchObject({ codes: ['unreachable'] });
});

test('repeats a request that fails once', async () => {
  const asked = new Set<string>();
  const address = await serveFolder(built.events, (path) =>
    asked.has(path) ? 200 : (asked.add(path), 503),
  );
  expect(await verify(address)).toEqual(whole);
});

test.each(['http://[', 'htps://example.org', 'https:/example.org', 'https://', ''])(
  'refuses the address %j',
  async (at) => {
    for (const args of [
      ['verify'],
      ['diff'],
      ['build', '--now', now, '--data', tempFolder(), '--against'],
    ]) {
      const stderr = expect.stringContaining(
        'expected a folder, or an http or https address',
      ) as string;
      expect(await runAlmanac([...args, at], { cwd: tempFolder() })).toMatchObject({
        code: 2,
        stdout: '',
        stderr,
      });
    }
  },
);

describe('a malicious site', () => {
  const entry = { bytes: 1, sha256: '0'.repeat(64) };
  const listed = (path: string): string => {
    const dist = copyOf(built.events);
    editManifest(dist, (files) => (files[path] = entry));
    return dist;
  };

  test('cannot make it read a file outside of the site', async () => {
    const site = listed('../../../../etc/hostname');
    expect(await verify(site)).toMatchObject({ codes: ['site-unreadable'] });
  });

  test.each<[string, string, (file: string) => void]>([
    ['a pipe', 'it is not a regular file', (file) => execFileSync('mkfifo', [file])],
    ['a link to a device', 'it is not a regular file', (file) => symlinkSync('/dev/zero', file)],
    ['a link to a file', 'it is not a regular file', (file) => symlinkSync('/etc/hostname', file)],
    ['a folder', 'it is not a regular file', (file) => mkdirSync(file)],
  ])('cannot make it open %s', async (_, reason, make) => {
    const dist = listed('x.json');
    make(join(dist, 'x.json'));
    await expect(verifySite(openSite(dist, '.'), { generator })).rejects.toThrow(reason);
    rmSync(join(dist, 'files.json'));
    make(join(dist, 'files.json'));
    await expect(verifySite(openSite(dist, '.'), { generator })).rejects.toThrow(reason);
  });

  test('cannot make it read through a linked folder', async () => {
    const dist = copyOf(built.events);
    renameSync(join(dist, 'api'), join(dist, '../api'));
    symlinkSync('../api', join(dist, 'api'));
    await expect(verifySite(openSite(dist, '.'), { generator })).rejects.toThrow(
      'it is not inside the site',
    );
  });

  test('may be behind a link, which is followed to the folder of the site', async () => {
    const link = join(tempFolder(), 'live');
    symlinkSync(built.events, link);
    expect(await verify(link)).toEqual(whole);
  });

  test('cannot make it read much more of a file than the manifest lists', async () => {
    const dist = copyOf(built.events);
    truncateSync(join(dist, 'index.html'), 8 * 1024 ** 3);
    expect(await verify(dist)).toEqual({ codes: ['site-file-changed'], files: ['index.html'] });
  });

  test.each(['files.json', 'index.html', genre])(
    'cannot make it read an endless %s from a host',
    async (path) => {
      let sent = (): number => 0;
      const address = await serve((request, response) => {
        if (request.url === `/${path}`) sent = sendForever(response, Buffer.alloc(1024 ** 2));
        else plainHost(built.events)(request, response);
      });
      expect(await verify(address)).toMatchObject({ codes: ['unreachable'] });
      expect(sent()).toBeLessThan(path === 'files.json' ? 300 : 20);
    },
  );
});

test.each<[string, number, number]>([
  ['36h', 36, 0],
  ['36h', 37, 1],
  ['2d', 48, 0],
  ['0h', 1, 1],
  ['36h', -2, 1],
])('--max-age %s of a site of %i hours ends with %i (site-stale)', async (maxAge, age, code) => {
  const clock = Date.parse(now);
  const lastSync = new Date(clock - age * 3_600_000).toISOString();
  const cwd = tempFolder();
  await buildSite(events, lastSync, { cwd, service: { pages: 'home', formats: [] } });
  vi.setSystemTime(clock);
  onTestFinished(() => void vi.useRealTimers());
  const run = await runAlmanac(['verify', 'dist', '--max-age', maxAge], { cwd });
  const line = /^found last_sync [^\n]*; expected at most [^\n]*\n$/;
  expect(run).toMatchObject({ code, stderr: code === 0 ? '' : expect.stringMatching(line) });
});

test.each(['36', '36m', '1.5d', '-1h', ''])('--max-age %j is wrong usage', async (maxAge) => {
  const run = await runAlmanac(['verify', 'dist', '--max-age', maxAge], { cwd: tempFolder() });
  const stderr = `expected a whole number and h or d, such as 36h or 2d`;
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(stderr) });
});
