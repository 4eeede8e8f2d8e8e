import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../src/api/documents.ts';
import { buildFolder, dataOf } from '../setup/build-site.ts';
import { lastingFolder, readTree, writeTree } from '../setup/folders.ts';

/* `starts_local` is one value in every format. In a table a space replaces its T. */
const event = fc.constantFrom(
  { starts: '2027-03-06' },
  { starts: '2027-03-06', zone: 'Asia/Kathmandu' },
  { starts: '2027-03-06T20:00', zone: 'America/Havana' },
  { starts: '2027-03-06T20:00:30', zone: 'UTC' },
  { starts: '2027-03-06T20:00Z' },
  { starts: '2027-03-06T20:00Z', zone: 'Asia/Kathmandu' },
  { starts: '2027-03-06T20:00:30+05:00' },
  { starts: '2027-03-06T20:00+05:00', zone: 'Asia/Karachi' },
);
const events = fc.array(event, { minLength: 1, maxLength: 12 });

test('starts_local of a table is that of the JSON documents', async () => {
  const folder = lastingFolder();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(events, async (list) => {
      const place = join(folder, String(runs++));
      const byTitle = Object.fromEntries(list.map((item, index) => [`Event ${index}`, item]));
      const data = writeTree(join(place, 'data'), dataOf({ 'a/b/c': byTitle }));
      await buildFolder(data, join(place, 'dist'), Date.parse('2027-01-01T00:00:00Z'));
      const site = readTree(join(place, 'dist'));
      const records = String(site.get('api/v1/events.ndjson'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as EventRecord);
      const table = String(site.get('api/v1/events.csv'));
      const rows = parse<Record<string, string>>(table, { bom: true, columns: true });
      const written = rows.map((row) => [row['id'], row['starts_local']]);
      const expected = records.map(({ id, starts_local: local }) => [
        id,
        local === null ? '' : local.replace('T', ' '),
      ]);
      expect(written).toEqual(expected);
      expect(records).toHaveLength(list.length);
    }),
    { numRuns: 25 },
  );
});
