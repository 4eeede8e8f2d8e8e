import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSite } from '../setup/build-site.ts';
import { engine, onPath } from '../setup/engines.ts';
import { tempFolder } from '../setup/folders.ts';

/*
 * What programs show of events that may not take place. Those that ignore STATUS show the word in
 * front of the title.
 */
const now = '2026-11-20T12:17:00Z';
const time = { ends: '2027-03-04T21:30', zone: 'Europe/Berlin' };
const events = {
  Faust: { starts: '2027-03-04T19:30', ...time },
  Tosca: { starts: '2027-03-04T19:30', ...time, status: 'cancelled' },
  Fidelio: { starts: '2027-03-04T19:30', ...time, status: 'tentative' },
};
const inGerman = { service: { lang: 'de' } };

const shown = [
  'Abgesagt: opera: Tosca',
  'Unter Vorbehalt: opera: Fidelio',
  'opera: Faust',
].toSorted();

async function calendarFile(): Promise<string> {
  const site = await buildSite({ 'music/stage/opera': events }, now, inGerman);
  return join(site, 'api/v1/events.ics');
}

const calcurse = engine('calcurse', () => onPath('calcurse'), 'apt-get install calcurse');

test.skipIf(calcurse === null)('calcurse lists a cancelled event with that word', async () => {
  const folder = tempFolder();
  const run = (...args: string[]): string =>
    execFileSync(calcurse ?? '', ['-q', '-D', folder, ...args], { encoding: 'utf8' });
  run('-i', await calendarFile());
  const list = run('-Q', '--from', '03/04/2027', '--days', '1');
  expect(
    list
      .match(/^\t.*$/gm)
      ?.map((line) => line.trim())
      .toSorted(),
  ).toEqual(shown);
});

const ical2html = engine('ical2html', () => onPath('ical2html'), 'apt-get install ical2html');

test.skipIf(ical2html === null)('ical2html prints a cancelled event with that word', async () => {
  const args = ['20270301', 'P10D', await calendarFile()];
  const page = execFileSync(ical2html ?? '', args, { encoding: 'utf8', stdio: 'pipe' });
  const titles = Array.from(page.matchAll(/class="summary">([^<]*)</g), ([, title = '']) => title);
  expect(titles.toSorted()).toEqual(shown);
});

const khal = engine('khal', () => onPath('khal'), 'apt-get install khal');

test.skipIf(khal === null)('khal says it twice, once by the status', async () => {
  const folder = tempFolder();
  const config = join(folder, 'khal.conf');
  writeFileSync(
    config,
    `[calendars]
[[stage]]
path = ${folder}/stage
type = calendar
[locale]
local_timezone = UTC
default_timezone = UTC
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
[default]
default_calendar = stage
[sqlite]
path = ${folder}/khal.db
`,
  );
  const run = (...args: string[]): string =>
    execFileSync(khal ?? '', ['-c', config, ...args], { encoding: 'utf8', stdio: 'pipe' });
  run('import', '--batch', await calendarFile());
  const format = '{start-date} {start-time} {status}{title}';
  const list = run('list', '--day-format', '', '--format', format, '2027-03-01', '10d');
  expect(list.trim().split('\n').toSorted()).toEqual([
    '2027-03-04 18:30 CANCELLED Abgesagt: opera: Tosca',
    '2027-03-04 18:30 CONFIRMED opera: Faust',
    '2027-03-04 18:30 TENTATIVE Unter Vorbehalt: opera: Fidelio',
  ]);
});

/** Builds a site in which an event was cancelled since the build before. Returns its feed. */
async function feedFile(): Promise<string> {
  const cwd = tempFolder();
  const before = { ...events, Tosca: events.Faust };
  const options = { cwd, ...inGerman };
  await buildSite({ 'music/stage/opera': before }, now, options);
  const site = await buildSite({ 'music/stage/opera': events }, '2026-11-21T12:17:00Z', options);
  return join(site, 'api/v1/feed.xml');
}

const sfeed = engine('sfeed', () => onPath('sfeed'), 'apt-get install sfeed');

test.skipIf(sfeed === null)('sfeed shows a cancelled event as such', async () => {
  const input = readFileSync(await feedFile());
  const [entry = ''] = execFileSync(sfeed ?? '', { input, encoding: 'utf8' }).split('\n');
  expect(entry.split('\t')[1]).toBe('Abgesagt: opera: Tosca');
});

const newsboat = engine('newsboat', () => onPath('newsboat'), 'apt-get install newsboat');

test.skipIf(newsboat === null)('newsboat has one unread entry for a cancelled event', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'urls'), `file://${await feedFile()}\n`);
  writeFileSync(join(folder, 'config'), '');
  const files = ['-u', 'urls', '-c', 'cache.db', '-C', 'config'];
  const args = [...files, '-x', 'reload', 'print-unread'];
  const env = { ...process.env, HOME: folder };
  const answer = execFileSync(newsboat ?? '', args, { cwd: folder, env, encoding: 'utf8' });
  expect(answer).toContain('1 unread articles');
});
