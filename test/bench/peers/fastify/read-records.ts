import type { EventRecord } from '../../../../src/api/documents.ts';
import { openData } from '../../../../src/source/data.ts';
import { eventRecord } from '../../../../src/render/records.ts';

/** Returns every event with a date, including past ones, ordered by genre and then by start. */
export async function readRecords(data: string): Promise<EventRecord[]> {
  const displayPath = (path: string): string => path;
  const { genres, readGenre } = openData({ data, displayPath, now: 0 });
  const records: EventRecord[] = [];
  for (const genre of genres) records.push(...(await readGenre(genre)).upcoming.map(eventRecord));
  return records;
}
