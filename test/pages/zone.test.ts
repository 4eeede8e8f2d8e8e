import { describe, expect, test } from 'vitest';
import { chromiumPath, openPage, serveSite } from '../setup/browser.ts';
import { dataOf } from '../setup/build-site.ts';
import { headings, rowOf } from './list.ts';

const now = '2026-11-20T12:00:00Z';
const path = 'genre/concerts-city/hall/';

describe.skipIf(chromiumPath === null)('a local catalogue', async () => {
  const events = {
    'city/concerts/hall': {
      Recital: '2026-12-01T19:30',
      Broadcast: { starts: '2026-12-01T21:00', zone: 'Asia/Tokyo' },
      Reading: { starts: '2026-12-02T00:30', zone: 'Europe/Vienna' },
    },
  };
  const site = await serveSite(dataOf(events, { base_url: undefined, zone: 'Europe/Berlin' }), now);

  const open = async (timezoneId: string, at = '', reader: object = {}) => {
    const page = await openPage(site.url + at, { now, timezoneId, ...reader });
    if (!('javaScriptEnabled' in reader))
      await page.locator('#synced').getByText('updated').waitFor();
    return page;
  };
  const times = async (page: Awaited<ReturnType<typeof open>>) =>
    Promise.all(
      ['Recital', 'Broadcast', 'Reading'].map(
        async (title) => (await rowOf(page, title)).split(' hall')[0],
      ),
    );

  test('shows the time at the place, and names the place of other clocks alone', async () => {
    expect(await times(await open('Europe/Paris'))).toEqual(['19:30', '21:00 Tokyo', '0:30']);
    expect(await times(await open('America/New_York'))).toEqual([
      '19:30 Berlin',
      '21:00 Tokyo',
      '0:30 Vienna',
    ]);
  });

  test('goes by the days of the place', async () => {
    expect(await headings(await open('America/New_York'))).toEqual([
      'Tuesday 1 December 2',
      'Wednesday 2 December 1',
    ]);
  });

  test("offers the reader's own time, and then that of the place again", async () => {
    const page = await open('America/New_York');
    await page.getByLabel('Time zone').focus();
    await page.getByLabel('Time zone').selectOption('America/New_York');
    await page.getByText('Clock times are in New York (America).').waitFor();
    expect(await times(page)).toEqual(['13:30', '7:00', '18:30']);
    await page.getByLabel('Time zone').focus();
    await page.getByLabel('Time zone').selectOption({ label: 'Local time of each event' });
    await page.getByText('Clock times are in Berlin (Europe).').waitFor();
    expect(await times(page)).toEqual(['19:30 Berlin', '21:00 Tokyo', '0:30 Vienna']);
  });

  test('takes the time at the place from the build, whatever the browser knows of zones', async () => {
    const page = await openPage(site.url, { now, timers: true, timezoneId: 'Europe/Berlin' });
    await page.route(site.url, async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replace('data-ahead="60"', 'data-ahead="1680"')
        .replace('data-zone="Asia/Tokyo"', 'data-zone="Pacific/New_Isle"')
        .replace('data-ahead="540"', 'data-ahead="345"');
      await route.fulfill({ response, body });
    });
    await page.reload();
    await page.locator('#synced').getByText('updated').waitFor();
    expect(await times(page)).toEqual(['22:30 Berlin', '17:45 New Isle', '0:30']);
    expect(await headings(page)).toEqual(['Tuesday 1 December 1', 'Wednesday 2 December 2']);
  });

  test('finds events at the times of their places, whatever the browser knows of zones', async () => {
    const page = await openPage(site.url, { now, timers: true, timezoneId: 'America/New_York' });
    await page.route(`${site.url}assets/search.json`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('[540,60,60]', '[345,1680,60]');
      await route.fulfill({ response, body });
    });
    const hits = async (query: string): Promise<string[]> => {
      await page.goto(`${site.url}search/?q=${query}`);
      await page.locator('.answer:not(:empty)').waitFor();
      const times = await page.locator('.found .w').allInnerTexts();
      return times.map((text) => text.replaceAll(/ 2026|\n/g, ' ').replaceAll(/ +/g, ' '));
    };
    expect(await hits('hall')).toEqual(['1 Dec 17:45', '2 Dec 22:30', '2 Dec 0:30']);
    expect(await hits('hall 2 December')).toEqual(['2 Dec 22:30', '2 Dec 0:30']);
  });

  test.each([
    ['Europe/Paris', '21:00 there', '13:00 your time'],
    ['Asia/Tokyo', '21:00', ''],
    ['Asia/Seoul', '21:00', ''],
  ])(
    'says in the card of a subject what the clock in %s shows, unless it shows the same',
    async (zone, there, here) => {
      const page = await open(zone, path);
      expect(await page.locator('.card .there').innerText()).toBe(there);
      expect((await page.locator('.card .here').allInnerTexts()).join('')).toBe(here);
    },
  );

  test('names the zone of each time without a script', async () => {
    const page = await open('America/New_York', '', { javaScriptEnabled: false });
    expect(await times(page)).toEqual(['19:30 Berlin', '21:00 Tokyo', '00:30 Vienna']);
  });

  test('shows starts and ends in the zone of the reader, if the catalogue has none', async () => {
    const fair = {
      Opening: { starts: '2026-11-24T09:00', ends: '2026-11-27T18:00', zone: 'Europe/Berlin' },
      Sale: { starts: '2026-11-28T10:00', ends: '16:00', zone: 'Europe/Berlin' },
      Day: '2026-12-06',
      Days: { starts: '2027-03-18', ends: '2027-03-21' },
      Sequel: '2027-Q3',
    };
    const { url } = await serveSite(
      dataOf({ 'fairs/trade/fair': fair }, { base_url: undefined }),
      now,
    );
    const reader = { now, timezoneId: 'America/New_York', locale: 'en-US' };
    const page = await openPage(`${url}genre/trade-fairs/`, reader);
    await page.locator('#synced').getByText('updated').waitFor();
    const shown = await page.locator('.list .e .w').allInnerTexts();
    expect(shown.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      '24 Tue 3:00 AM – Nov 27',
      '28 Sat 4:00 AM – 10:00 AM',
      '6 Sun',
      '18 Thu until Mar 21',
      'Q3 2027, date to be announced',
    ]);
  });
});
