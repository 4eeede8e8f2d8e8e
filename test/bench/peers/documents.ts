import { resolve } from 'node:path';
import type { CategoryRecord, EventRecord, GenreRecord } from '../../../src/api/documents.ts';
import { documentPath, listLimit } from '../../../src/api/paths.ts';
import type { Event } from '../../../src/catalogue/model.ts';
import { bySoonest } from '../../../src/catalogue/soonest.ts';
import { eventRecord } from '../../../src/render/records.ts';
import { openData } from '../../../src/source/data.ts';
import { now } from '../catalogue.ts';

/** A document of the interface and its path. */
export interface Page {
  readonly path: string;
  readonly document: object;
}

interface Listed {
  readonly event: Event;
  readonly record: EventRecord;
}

/**
 * Returns every list of the interface as plain values, for generators with templates in JavaScript.
 * They get the catalogue from almanac's own reader, so that the benchmark compares only the
 * generation of documents.
 */
export async function readDocuments(folder: string): Promise<Page[]> {
  const pages: Page[] = [];
  const displayPath = (path: string): string => path;
  const data = openData({ data: resolve(folder), displayPath, now: Date.parse(now) });
  const everything: Listed[] = [];
  const categories: CategoryRecord[] = [];
  const genres: GenreRecord[] = [];
  const addEvents = (
    category: string | null,
    genre: string | null,
    total: number,
    listed: readonly Listed[],
  ): void => {
    const document = {
      filters: { genre, category },
      limit: listLimit,
      total,
      events: listed.map(({ record }) => record),
    };
    pages.push({ path: documentPath({ operation: 'events', category, genre }), document });
  };
  for (const category of data.categories) {
    const records: GenreRecord[] = [];
    const ofCategory: Listed[] = [];
    for (const found of data.genres.filter((one) => one.category === category)) {
      const { genre, members, upcoming: events } = await data.readGenre(found);
      const upcoming = events.length;
      records.push({
        id: genre.id,
        name: genre.name,
        category: category.id,
        subjects: members.length,
        upcoming,
      });
      const listed = events
        .slice(0, listLimit)
        .map((event) => ({ event, record: eventRecord(event) }));
      ofCategory.push(...listed);
      addEvents(null, genre.id, upcoming, listed);
      for (const { id } of data.categories) {
        if (id === category.id) addEvents(id, genre.id, upcoming, listed);
        else addEvents(id, genre.id, 0, []);
      }
    }
    const upcoming = records.reduce((sum, record) => sum + record.upcoming, 0);
    categories.push({ id: category.id, name: category.name, genres: records.length, upcoming });
    addEvents(category.id, null, upcoming, soonestOf(ofCategory));
    const path = documentPath({ operation: 'genres', category: category.id });
    pages.push({ path, document: { filters: { category: category.id }, genres: records } });
    genres.push(...records);
    everything.push(...ofCategory);
  }
  genres.sort((a, b) => (a.id < b.id ? -1 : 1));
  const upcoming = genres.reduce((sum, genre) => sum + genre.upcoming, 0);
  addEvents(null, null, upcoming, soonestOf(everything));
  pages.push({
    path: documentPath({ operation: 'genres' }),
    document: { filters: { category: null }, genres },
  });
  pages.push({ path: documentPath({ operation: 'categories' }), document: { categories } });
  return pages;
}

function soonestOf(listed: Listed[]): Listed[] {
  return listed.sort((a, b) => bySoonest(a.event, b.event)).slice(0, listLimit);
}
