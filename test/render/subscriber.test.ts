import ICAL from 'ical.js';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSite } from '../setup/build-site.ts';
import { evolution, Subscription } from '../setup/evolution.ts';
import { tempFolder } from '../setup/folders.ts';
import { plainHost } from '../setup/host.ts';
import { serve } from '../setup/serve-folder.ts';

/*
 * A subscriber keeps what it has of an entry until the calendar says that there is a newer version of it. Each build
 * continues the site of the day before.
 */
const concert = {
  id: 'concert',
  title: 'Concert',
  starts: '2027-01-15T20:00Z',
  ends: '2027-01-15T22:00Z',
  location: 'Town hall',
  url: 'https://example.org/concert',
};
const shown = {
  summary: 'club: Concert',
  dtstart: '2027-01-15T20:00:00Z',
  dtend: '2027-01-15T22:00:00Z',
  location: 'Town hall',
  url: 'https://example.org/concert',
  status: 'CONFIRMED',
};
const calendar = 'api/v1/genre/clubs-music/events.ics';
const earlier = { dtstart: '2027-01-08T20:00:00Z', dtend: '2027-01-08T22:00:00Z' };

const steps: [string, object, object][] = [
  ['the event', {}, {}],
  ['a move to an earlier day', { starts: '2027-01-08T20:00Z', ends: '2027-01-08T22:00Z' }, earlier],
  ['the move back', {}, {}],
  ['a new title', { title: 'Gala' }, { summary: 'club: Gala' }],
  ['a new place', { location: 'Park' }, { location: 'Park' }],
  ['a new end', { ends: '2027-01-15T23:00Z' }, { dtend: '2027-01-15T23:00:00Z' }],
  ['a new address', { url: 'https://example.org/gala' }, { url: 'https://example.org/gala' }],
  ['a cancellation', { cancelled: true }, { status: 'CANCELLED' }],
  ['that it takes place again', {}, {}],
];

test.skipIf(evolution === null)('a subscriber in GNOME sees every change of an event', async () => {
  const cwd = tempFolder();
  const url = `${await serve(plainHost(join(cwd, 'dist')))}/${calendar}`;
  let subscription: Subscription | undefined;
  for (const [day, [name, change, difference]] of steps.entries()) {
    const events = { 'music/clubs/club': { Concert: { ...concert, ...change }, Party: '2027-02-01' } };
    await buildSite(events, new Date(Date.UTC(2026, 10, 20 + day, 12)).toISOString(), { cwd });
    const { entries } = (subscription ??= new Subscription(url));
    const entry = async (): Promise<object> => shownOf(await entries());
    await expect.poll(entry, { message: name }).toEqual({ ...shown, ...difference });
  }
});

/** Returns what the entry of the concert shows. */
function shownOf(entries: readonly string[]): object {
  const all = entries.map((text) => new ICAL.Component(ICAL.parse(text) as unknown[]));
  const found = all.find((one) => one.getFirstPropertyValue('uid') === 'clubs-music/club/concert@example.org');
  return Object.fromEntries(Object.keys(shown).map((name) => [name, String(found?.getFirstPropertyValue(name))]));
}
