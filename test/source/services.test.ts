import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { onTestFinished, test, expect } from 'vitest';
import type { EventRecord } from '../../src/api/documents.ts';
import { emptyGenre } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { listen } from '../setup/host.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/*
 * Servers on this machine that answer as Google Sheets, Google Calendar and the page of a venue do: with their status
 * codes, redirects, media types, encodings and validators.
 */
const sheet = ['Chess club: dates 2027,,,', ',,,', 'Date,Time,What,Notes', '02/03/2027,19:30,"Blitz, round 1",ask Ann'];
const calendar = `BEGIN:VCALENDAR
PRODID:-//Google Inc//Google Calendar 70.9054//EN
VERSION:2.0
CALSCALE:GREGORIAN
METHOD:PUBLISH
X-WR-CALNAME:Chess club
X-WR-TIMEZONE:Europe/London
BEGIN:VEVENT
DTSTART;TZID=Europe/London:20270105T190000
DTEND;TZID=Europe/London:20270105T213000
RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=TU
EXDATE;TZID=Europe/London:20270112T190000
DTSTAMP:20261120T120000Z
UID:0abc@google.com
DESCRIPTION:<b>Bring a board</b>\\, call Ann
LOCATION:Town Hall\\, Main Street 1
SEQUENCE:0
STATUS:CONFIRMED
SUMMARY:Training
TRANSP:OPAQUE
END:VEVENT
BEGIN:VEVENT
DTSTART;TZID=Europe/London:20270120T190000
DTEND;TZID=Europe/London:20270120T213000
DTSTAMP:20261120T120000Z
UID:0abc@google.com
RECURRENCE-ID;TZID=Europe/London:20270119T190000
STATUS:CONFIRMED
SUMMARY:Training (moved)
END:VEVENT
BEGIN:VEVENT
DTSTART;VALUE=DATE:20270501
DTEND;VALUE=DATE:20270503
DTSTAMP:20261120T120000Z
UID:1def@google.com
STATUS:CONFIRMED
SUMMARY:Congress
END:VEVENT
END:VCALENDAR
`;
const venue = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Great Hall</title>
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[
{"@type":"WebSite","@id":"https://hall.example/#site","name":"Great Hall"},
{"@type":"MusicVenue","@id":"#hall","name":"Great Hall","address":{"addressLocality":"Leeds","addressCountry":"GB"}},
{"@type":"MusicEvent","name":"Quartet &amp; Guests","startDate":"2027-03-04T20:00:00+00:00",
"endDate":"2027-03-04T22:00:00+00:00","eventStatus":"https://schema.org/EventScheduled","location":{"@id":"#hall"},
"offers":{"@type":"Offer","price":"20"}}]}</script></head><body><p>Quartet &amp; Guests</p></body></html>`;

/** The requests for the page of the venue that named its validator. */
let conditional: string[];

async function start(answer: RequestListener): Promise<string> {
  const { url, close } = await listen(answer);
  onTestFinished(close);
  return url;
}

/** Sends a text as Google does: in chunks, compressed if the client can read that, never to be cached. */
function sendGoogle({ headers }: IncomingMessage, response: ServerResponse, type: string, text: string): void {
  const isZipped = String(headers['accept-encoding']).includes('gzip');
  const cache = 'no-cache, no-store, max-age=0, must-revalidate';
  response.writeHead(200, {
    'content-type': type,
    'cache-control': cache,
    'set-cookie': 'NID=1; HttpOnly',
    vary: 'Sec-Fetch-Dest, Accept-Encoding',
    ...(isZipped && { 'content-encoding': 'gzip' }),
  });
  response.end(isZipped ? gzipSync(text) : text);
}

/** Starts the services, and returns a data folder with a source at each of them. */
async function startServices(): Promise<string> {
  // A published sheet redirects to a short-lived address of another host.
  const documents = await start((request, response) => {
    sendGoogle(request, response, 'text/csv', sheet.join('\r\n'));
  });
  const google = await start((request, response) => {
    const { url = '' } = request;
    if (url === '/calendar/ical/club%40example.org/public/basic.ics') {
      sendGoogle(request, response, 'text/calendar; charset=UTF-8', calendar.replaceAll('\n', '\r\n'));
    } else {
      const location = `${documents}/pub/54bogvaave6cua4cdnls17ksc4/1/1234/*/e@2PACX-1vQ${url.slice(url.indexOf('?'))}`;
      response.writeHead(307, { location, 'content-type': 'text/html; charset=UTF-8' }).end();
    }
  });
  conditional = [];
  const hall = await start(({ url, headers }, response) => {
    if (url === '/program') return response.writeHead(301, { location: '/program/' }).end();
    const validator = headers['if-none-match'];
    if (validator !== undefined) conditional.push(validator);
    const isKnown = validator === 'W/"65a1-18f"';
    response.writeHead(isKnown ? 304 : 200, { etag: 'W/"65a1-18f"', 'content-type': 'text/html; charset=UTF-8' });
    return response.end(isKnown ? undefined : venue);
  });
  const mapping = { columns: { Date: 'starts', Time: 'time' }, dates: 'd/m/y', zone: 'Europe/London' };
  const columns = { ...mapping, subject: 'Chess club', title: '{What}', ignore: ['Notes'] };
  const pub = `${google}/spreadsheets/d/e/2PACX-1vQ/pub?gid=0&single=true&output=csv`;
  return writeTree(join(tempFolder(), 'data'), {
    ...emptyGenre('games/chess', { pages: 'home' }),
    'games/chess/sheet.source.json': { source: pub, format: 'csv', ...columns },
    'games/chess/training.source.json': {
      source: `${google}/calendar/ical/club%40example.org/public/basic.ics`,
      format: 'ics',
    },
    'games/chess/hall.source.json': { name: 'Great Hall', source: `${hall}/program`, format: 'jsonld' },
  });
}

test('build --sync takes the events of a sheet, a calendar and a page as their services answer', async () => {
  const data = await startServices();
  const build = async (day: string) => {
    const args = ['build', '--sync', '--json', '--now', `2026-11-${day}T12:17:00Z`];
    const run = await runAlmanac(args, { cwd: join(data, '..') });
    expect(run.stderr).toBe('');
    return JSON.parse(run.stdout) as {
      readonly sources: readonly { readonly file: string; readonly events: number }[];
    };
  };
  const { sources } = await build('20');
  expect(sources.map(({ file, events }) => [file, events])).toEqual([
    ['data/games/chess/hall.source.json', 1],
    ['data/games/chess/sheet.source.json', 1],
    ['data/games/chess/training.source.json', 3],
  ]);
  const text = readFileSync(join(data, '../dist/api/v1/events.json'), 'utf8');
  const { events } = JSON.parse(text) as { readonly events: readonly EventRecord[] };
  expect(
    events.map(({ subject, title, starts_local, date, location }) => [
      subject.name,
      title,
      starts_local ?? date,
      location?.name ?? null,
    ]),
  ).toEqual([
    ['Chess club', 'Training', '2027-01-05T19:00', 'Town Hall, Main Street 1'],
    ['Chess club', 'Training (moved)', '2027-01-20T19:00', null],
    ['Chess club', 'Blitz, round 1', '2027-03-02T19:30', null],
    ['Great Hall', 'Quartet & Guests', '2027-03-04', 'Great Hall'],
    ['Chess club', 'Congress', '2027-05-01', null],
  ]);
  expect(text).not.toMatch(/Ann|Bring a board/);
  expect(events.at(-1)).toMatchObject({ end_date: '2027-05-02', time_known: false });
  // The next night, only the page says that nothing changed.
  expect((await build('21')).sources).toMatchObject([{ events: 1 }, { events: 1 }, { events: 3 }]);
  expect(conditional).toEqual(['W/"65a1-18f"']);
});
