import type { EventRecord } from '../../../../src/api/documents.ts';
import { readRecords } from './read-records.ts';
import { serveLive } from './serve-live.ts';

/** A live server that keeps all events in memory, ordered by genre and start. Each request searches one genre. */
const [data = ''] = process.argv.slice(2);
const byGenre = new Map<string, EventRecord[]>();
for (const record of await readRecords(data)) {
  const listed = byGenre.get(record.genre);
  if (listed === undefined) byGenre.set(record.genre, [record]);
  else listed.push(record);
}

await serveLive((genre, now, limit) => {
  const upcoming = (byGenre.get(genre) ?? []).filter((record) => record.upcoming_until > now);
  return { total: upcoming.length, events: upcoming.slice(0, limit) };
});
