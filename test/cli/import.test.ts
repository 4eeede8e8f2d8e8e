import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyGenre } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { writeImport } from '../../src/authoring/import/import.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/* What test/fixtures/sessions/import.txt cannot contain: links, devices, other encodings. */
const now = ['--now', '2026-11-20T00:00:00Z'];
const into = ['--into', 'c/g'];

test('leaves no file behind if one of them cannot be written', () => {
  const into = writeTree(tempFolder(), { 'b.json': 'mine' });
  const files = ['a.json', 'b.json', 'c.json'].map((name) => ({ name, content: '{}\n' }));
  expect(() =>
    writeImport({ files: files.map((one) => ({ ...one, events: null })) }, into),
  ).toThrow('EEXIST');
  expect([...readTree(into)]).toEqual([['b.json', Buffer.from('mine')]]);
});

test('writes nothing through a folder of the data folder that is a symbolic link', async () => {
  const cwd = writeTree(tempFolder(), { 'x.csv': 'subject,title,starts\nA,b,2027-01-01\n' });
  const outside = tempFolder();
  mkdirSync(join(cwd, 'data/tv'), { recursive: true });
  symlinkSync(outside, join(cwd, 'data/tv/linked'));
  symlinkSync(outside, join(cwd, 'data/linked'));
  for (const path of ['data/tv/linked', 'tv/linked', 'linked/deeper']) {
    const run = await runAlmanac(['import', 'x.csv', '--into', path, ...now], { cwd });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^data\/(tv\/)?linked:1:1: found a symbolic link "linked"/);
  }
  expect([...readTree(outside)]).toEqual([]);
});

test('reads an issue and a table from a link, but not from a pipe, a device or a very large file', async () => {
  const cwd = writeTree(tempFolder(), {
    'x.csv': 'subject,title,starts\nA,b,2027-01-01\n',
    'data/service.json': '{}',
    'large.md': '',
  });
  symlinkSync(join(cwd, 'x.csv'), join(cwd, 'link.csv'));
  symlinkSync('/dev/zero', join(cwd, 'endless.md'));
  execFileSync('mkfifo', [join(cwd, 'pipe.md')]);
  truncateSync(join(cwd, 'large.md'), 3 * 1024 ** 3);
  expect(await runAlmanac(['import', 'link.csv', ...into, ...now], { cwd })).toMatchObject({
    code: 0,
  });
  for (const [file, reason] of [
    ['pipe.md', 'it is a pipe or a device, and not a regular file'],
    ['endless.md', 'it is a pipe or a device, and not a regular file'],
    ['large.md', 'it has 3,221,225,472 bytes, and at most 1,048,576 are read'],
  ] as const) {
    const run = await runAlmanac(['import', '--issue', file], { cwd });
    expect(run).toMatchObject({ code: 1, stderr: `cannot read the issue: ${file}: ${reason}\n` });
  }
});

test('copies a file byte for byte in its encoding, and warns about what is not UTF-8', async () => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), emptyGenre('c/g'));
  const calendar =
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:Caf\xe9\nDTSTART:20270105\nEND:VEVENT\nEND:VCALENDAR\n';
  const files = {
    'plan.csv': Buffer.from('\ufefftitle,starts\nSt\xfcck,2027-01-30\n', 'utf16le'),
    'club.ics': Buffer.from(calendar, 'latin1'),
  };
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(join(cwd, name), bytes);
    const run = await runAlmanac(['import', name, '--into', join(cwd, 'data/c/g'), ...now], {
      cwd,
    });
    const warning = name === 'club.ics' ? expect.stringContaining('read them as Windows-1252') : '';
    expect([run.code, run.stderr]).toEqual([0, warning]);
    expect(readFileSync(join(cwd, 'data/c/g', name))).toEqual(bytes);
  }
});
