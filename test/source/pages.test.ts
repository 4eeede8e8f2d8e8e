import { expect, test } from 'vitest';
import type { SourceFile } from '../../src/readers/schema/reading.ts';
import { readFolder } from '../setup/readers.ts';

/** Returns the events of a folder of pages, and the codes of its warnings. */
function read(files: Record<string, string>, mapping: SourceFile['mapping']) {
  const genre = { id: 'c-g', name: 'G', category: 'c', zone: 'Europe/Berlin' };
  const file = { stem: 'event', genre, now: 0, name: null, url: null, mapping };
  const texts = Object.entries(files).map(([name, text]) => ({ file: name, text }));
  const { subjects, findings, warnings } = readFolder(texts, file);
  expect(findings).toEqual([]);
  return {
    events: subjects.flatMap(({ source }) => source.events ?? []),
    warnings: warnings.map(({ problem }) => problem.code),
  };
}

const talk = `---
title: Example Talk
event: Example Conference
event_url: https://example.org
location: Wowchemy HQ
address:
  street: 450 Serra Mall
  city: Stanford
  postcode: '94305'
  country: United States
summary: An example talk.
date: '2030-06-01T00:00:00Z'
date_end: '2030-06-02T00:00:00Z'
all_day: true
publishDate: '2017-01-01T00:00:00Z'
---
Slides can be added.
`;

test('the preset of HugoBlox names its columns, and days of all-day events stay as they are', () => {
  expect(read({ '_index.md': talk, 'example/index.md': talk }, { preset: 'hugoblox' })).toEqual({
    events: [
      {
        id: 'example',
        title: 'Example Talk',
        starts: '2030-06-01',
        ends: '2030-06-02',
        url: 'https://example.org',
        location: {
          name: 'Wowchemy HQ',
          address: '450 Serra Mall, 94305 Stanford, United States',
        },
        description: 'An example talk.',
        extra: { event: 'Example Conference' },
      },
    ],
    warnings: [],
  });
});

test('the body of a page is published on request, without shortcodes', () => {
  const body =
    '# Welcome\n\n{{< figure src="x" >}}\nCome **early** to [the hall](https://e.org).\n';
  const page = `---\ntitle: A\n---\n${body}`;
  const columns = { title: 'title', '{file.date}': 'starts', '{body}': 'description' };
  expect(read({ '2027-01-02-a.md': page }, { columns }).events).toEqual([
    {
      id: '2027-01-02-a',
      title: 'A',
      starts: '2027-01-02',
      description: 'Welcome\n\nCome early to the hall.',
    },
  ]);
});

test('the day in the name of a file counts where the page has none, and only there', () => {
  const columns = { title: 'title', date: 'starts' };
  const files = {
    '2027-01-02-a.md': '---\ntitle: A\n---\n',
    '2027-01-03-b.md': '---\ntitle: B\ndate: 2027-01-04\n---\n',
  };
  const { events, warnings } = read(files, { columns });
  expect(events.map(({ starts }) => starts)).toEqual(['2027-01-02', '2027-01-04']);
  expect(warnings).toEqual(['other-day']);
});
