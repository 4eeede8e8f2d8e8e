import { basename, join } from 'node:path';
import { Soonest } from '../catalogue/soonest.ts';
import type { Event, GenreContent } from '../catalogue/model.ts';
import { readSource, type GenreOutline, type Suspect } from './outline.ts';
import { subjectShape } from './shapes.ts';
import { readSubject } from './subject.ts';

/** A genre with its subjects read, and the files among them that need a second look. */
export interface GenreReading {
  readonly content: GenreContent;
  readonly suspects: readonly Suspect[];
}

/**
 * Reads the subjects of a genre and keeps the `limit` soonest events that are upcoming at `now`
 * (milliseconds since 1970). Memory is bounded by what is kept and one file.
 */
export function readGenre(
  data: string,
  { genre, path, files }: GenreOutline,
  now: number,
  limit: number,
): GenreReading {
  const suspects: Suspect[] = [];
  const soonest = new Soonest<Event>(limit);
  const cancelled = new Soonest<Event>(limit);
  let [upcoming, withheld] = [0, 0];
  for (const file of files) {
    const source = readSource(join(data, path, file), subjectShape);
    const reading = source && readSubject(source, basename(file, '.json'), genre, now);
    if (reading === null || reading.findings.length > 0) {
      suspects.push({ path: `${path}/${file}`, shape: subjectShape });
      continue;
    }
    withheld += reading.withheld;
    upcoming += reading.upcoming.length;
    for (const event of reading.upcoming) soonest.add(event);
    for (const event of reading.cancelled) cancelled.add(event);
  }
  const subjects = files.length;
  return {
    content: { genre, subjects, upcoming, withheld, soonest: soonest.list(), cancelled: cancelled.list() },
    suspects,
  };
}
