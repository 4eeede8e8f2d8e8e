import type { EventRecord } from '../../../../src/api/documents.ts';
import { openData } from '../../../../src/source/data.ts';
import { openReader } from '../../../../src/source/genre.ts';
import { eventRecord } from '../documents.ts';

/** Returns every event with a date, past ones too, by genre and then by start, as a live server would keep them. */
export async function readRecords(data: string): Promise<EventRecord[]> {
  const displayPath = (path: string): string => path;
  const { task, categories } = openData({ data, displayPath, now: 0, limit: Infinity });
  const read = await openReader(task, displayPath);
  return categories.flatMap(({ genres }) => genres.flatMap((genre) => read(genre).content.soonest.map(eventRecord)));
}
