import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataOf, type Events } from '../setup/build-site.ts';
import { evolution, Subscription } from '../setup/evolution.ts';
import { tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { plainHost } from '../setup/host.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { serve, serveFolder } from '../setup/serve-folder.ts';
import { calendarReader, feedReader, follower } from './readers.ts';

/*
 * A week in the life of a catalogue, and twelve more days: each build continues the site before it,
 * and each reader keeps what it knows. Nobody sees anything twice, misses anything, goes backwards,
 * or loses the past.
 */
const concert = { starts: '2027-01-15T20:00Z', ends: '2027-01-15T22:00Z', location: 'Town hall' };
const early = { ...concert, starts: '2027-01-08T20:00Z', ends: '2027-01-08T22:00Z' };
const announced = { Festival: '2027-Q2', Ball: '2027-02-05' };
const dated = { ...announced, Festival: '2027-05-01' };
const matches = {
  first: '20261122T100000Z',
  second: '20270105T100000Z',
  third: '20270201T100000Z',
};

/** Returns the data with the events of the club. */
function club(
  events: object,
  name = 'club',
  opera: object = { Opera: '2027-03-01', Ballet: '2026-11-21' },
): Tree {
  const subject = { ...events, Quiz: '2026-11-21' };
  return dataOf({
    [`music/clubs/${name}`]: subject,
    'music/halls/hall': opera as Events[string],
    'games/chess/none': {},
  });
}

/** Returns the data after the club got another name. */
function society(events: object, ...opera: object[]): Tree {
  const [data, file] = [club(events, 'society', ...opera), 'music/clubs/society.json'];
  return { ...data, [file]: { ...(data[file] as object), name: 'club', formerly: ['club'] } };
}

/** What the first calendar has. */
const all = ['ball', 'ballet', 'concert', 'first', 'opera', 'quiz', 'second', 'third'];

test('a week in the life of a catalogue', async () => {
  const source = tempFolder();
  const sendMatches = (entries: object): unknown =>
    writeTree(source, { 'league.ics': calendarOf(entries) });
  const night = await startNights(`${await serveFolder(source)}/league.ics`);
  sendMatches(matches);
  await night(0, club({ Concert: concert, ...announced }), [], all);
  await night(1, club({ Concert: concert, ...announced }), [], []);
  // The concert moves to an earlier day, is cancelled, and takes place after all. The quiz and the
  // ballet are over.
  await night(2, club({ Concert: early, ...announced }), ['moved concert'], ['concert']);
  await night(
    3,
    club({ Concert: { ...early, cancelled: true }, ...announced }),
    ['cancelled concert'],
    ['concert'],
  );
  await night(4, club({ Concert: early, ...announced }), ['added concert'], ['concert']);
  // What was announced gets its date.
  await night(5, club({ Concert: early, ...dated }), ['dated festival'], ['festival']);
  // The club is renamed, so that its entries have other UIDs.
  await night(
    6,
    society({ Concert: early, ...dated }),
    [],
    ['ball', 'concert', 'festival', 'quiz'],
  );
  // The source of the league is dead for nine days, after which something else changes.
  rmSync(join(source, 'league.ics'));
  await night(7, society({ Concert: early, ...dated }), [], []);
  const grand = { ...dated, Ball: { title: 'Grand ball', id: 'ball', starts: '2027-02-05' } };
  await night(16, society({ Concert: early, ...grand }), ['changed ball'], ['ball']);
  // The source is back, without its past.
  sendMatches({ second: matches.second, third: '20270130T100000Z' });
  await night(17, society({ Concert: early, ...grand }), ['moved third'], ['third']);
  // A genre is emptied, the concert moves back, and the genre is filled again.
  await night(
    18,
    society({ Concert: concert, ...grand }, {}),
    ['moved concert', 'removed opera'],
    ['concert'],
  );
  await night(19, society({ Concert: concert, ...grand }), ['added opera'], ['opera']);
});

type Night = (
  day: number,
  tree: Tree,
  changes: readonly string[],
  entries: readonly string[],
) => Promise<void>;

/**
 * Returns a function that builds the site on a day, and expects what the readers find new: in the
 * log and the feed, and in calendars.
 */
async function startNights(leagueUrl: string): Promise<Night> {
  const cwd = tempFolder();
  const baseUrl = await serve(plainHost(join(cwd, 'dist')));
  const [follow, readFeed] = [follower(baseUrl), feedReader(baseUrl)];
  const readCalendar = calendarReader(baseUrl);
  const expectSubscribed =
    evolution === null ? async () => {} : subscriber(`${baseUrl}/api/v1/events.ics`);
  return async (day, tree, changes, entries) => {
    const now = Date.UTC(2026, 10, 20 + day, 12, 17);
    rmSync(join(cwd, 'data/music'), { recursive: true, force: true });
    const league = { source: leagueUrl, format: 'ics', name: 'League' };
    writeTree(join(cwd, 'data'), { ...tree, 'games/chess/league.source.json': league });
    const given = ['--now', new Date(now).toISOString(), '--quiet'];
    expect(await runAlmanac(['build', '--sync', ...given], { cwd }), `day ${day}`).toMatchObject({
      code: 0,
    });
    expect(await follow(now), `the follower on day ${day}`).toEqual(changes);
    expect(await readFeed(now), `the feed reader on day ${day}`).toEqual(changes);
    expect(await readCalendar(now), `the calendar on day ${day}`).toEqual(entries);
    await expectSubscribed(`GNOME on day ${day}`);
  };
}

/** Returns a function that expects that the server of GNOME gets what a calendar says. */
function subscriber(address: string): (message: string) => Promise<void> {
  let subscription: Subscription | undefined;
  const isShown = (line: string): boolean => /^(?:UID|SUMMARY|DT|STATUS)/.test(line);
  const shownIn = (text: string): string[] =>
    text
      .split(/\r\n(?! )/)
      .filter(isShown)
      .toSorted();
  return async (message) => {
    const published = shownIn(await (await fetch(address)).text());
    const { entries } = (subscription ??= new Subscription(address));
    const kept = async (): Promise<string[]> => shownIn((await entries()).join(''));
    await expect.poll(kept, { message }).toEqual(published);
  };
}

function calendarOf(entries: object): string {
  const events = Object.entries(entries).flatMap(([uid, start]) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SUMMARY:${uid} match`,
    `DTSTART:${start}`,
    'END:VEVENT',
  ]);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n');
}
