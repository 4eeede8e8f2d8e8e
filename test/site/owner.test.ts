import { existsSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const now = '2026-11-20T12:17:00Z';
const events: Events = { 'tv/drama/severance': { Premiere: '2027-01-15' } };
const other = { name: 'Other', base_url: 'https://other.example' };

test('a site of another catalogue is never replaced, and the message says to remove its folder (site-of-another)', async () => {
  const cwd = tempFolder();
  const site = await buildSite(events, now, { cwd });
  const before = readTree(site);
  const data = writeTree(tempFolder(), dataOf(events, other));
  const run = async () => runAlmanac(['build', '--data', data, '--now', now], { cwd });
  const refused = await run();
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/another catalogue, "Test" .* or remove that folder\n$/),
  });
  expect(readTree(site)).toEqual(before);
  rmSync(site, { recursive: true });
  expect(await run()).toMatchObject({ code: 0 });
});

test('a build does not continue the site of another catalogue (site-of-another)', async () => {
  const cwd = tempFolder();
  await buildSite(events, now, { cwd });
  const data = writeTree(tempFolder(), dataOf(events, other));
  const args = ['build', '--data', data, '--now', now, '--against', 'dist', '--out', 'next', '--json'];
  const { code, stdout } = await runAlmanac(args, { cwd });
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { problems: [{ code: 'site-of-another' }] }]);
  expect(existsSync(`${cwd}/next`)).toBe(false);
});

test.each([
  ['name', { name: 'Other' }],
  ['base URL', { base_url: 'https://other.example' }],
  ['name and base URL, with its authority', { ...other, authority: 'example.org' }],
])('a catalogue may change its %s', async (_, service) => {
  const cwd = tempFolder();
  await buildSite(events, now, { cwd });
  await buildSite(events, now, { cwd, service });
});

test('a new base URL without an authority warns that ids change, and names the cure (ids-renamed)', async () => {
  const cwd = tempFolder();
  await buildSite(events, now, { cwd });
  const build = async (service: object) => {
    const data = writeTree(tempFolder(), dataOf(events, { base_url: 'https://new.example', ...service }));
    return runAlmanac(['build', '--data', data, '--now', now, '--against', 'dist', '--out', 'next'], { cwd });
  };
  expect((await build({})).stderr).toContain('put "authority": "example.org" into service.json');
  expect((await build({ authority: 'example.org' })).stderr).not.toContain('authority');
});
