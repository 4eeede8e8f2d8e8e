import type { EventFilters, GenreRecord } from '../api/documents.ts';
import { calendarPath, documentPath, maxEvents } from '../api/paths.ts';
import { bySoonest } from '../catalogue/soonest.ts';
import { calendarContent } from './ics.ts';
import type { Pieces } from './event-texts.ts';
import type { SiteFile } from '../api/site-file.ts';

/** A list of events (specification 4). `events` is what {@link joined} makes; `total` counts those left out, too. */
export function eventsFile({ genre, category }: EventFilters, total: number, events: readonly string[]): SiteFile {
  const filters = JSON.stringify({ genre, category });
  return {
    path: documentPath({ operation: 'events', genre, category }),
    content: [`{"filters":${filters},"limit":${maxEvents},"total":${total},"events":[`, ...events, ']}\n'],
  };
}

/** The records of a list of events with commas between them. They are joined where they are encoded, in one go. */
export function joined({ upcoming }: Pieces): readonly string[] {
  const parts: string[] = [];
  for (const { json } of upcoming) {
    if (parts.length > 0) parts.push(',');
    parts.push(json);
  }
  return parts;
}

/** The calendar beside a list of events: those of the document, and among them the cancelled ones. */
export function calendarFile(filters: Partial<EventFilters>, name: string, { upcoming, cancelled }: Pieces): SiteFile {
  const pieces = cancelled.length === 0 ? upcoming : [...upcoming, ...cancelled].sort(bySoonest);
  const events = pieces.map(({ calendar }) => calendar);
  return { path: calendarPath(filters), content: calendarContent(name, events) };
}

/** The genres of a category or, where it is null, all of them. */
export function genresFile(category: string | null, genres: readonly GenreRecord[]): SiteFile {
  return { path: documentPath({ operation: 'genres', category }), content: line({ filters: { category }, genres }) };
}

/** A JSON document as it is published: compact, with one final newline. */
export function line(document: unknown): string {
  return `${JSON.stringify(document)}\n`;
}
