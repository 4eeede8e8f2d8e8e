import type { Category, GenreSummary } from '../catalogue/model.ts';
import { calendarFile, eventsFile, joined } from './lists.ts';
import type { Pieces } from './event-texts.ts';
import type { SiteFile } from '../api/site-file.ts';

/**
 * The files of one genre: its list alone and with each category, the pair that contradicts itself being empty, and its
 * calendar. They rest on nothing but the genre and the names of the categories.
 *
 * @param service the name of the service
 */
export function* planGenre(
  { genre, upcoming }: GenreSummary,
  pieces: Pieces,
  service: string,
  categories: readonly Category[],
): Generator<SiteFile> {
  const events = joined(pieces);
  yield eventsFile({ genre: genre.id, category: null }, upcoming, events);
  const own = categories.find(({ id }) => id === genre.category);
  yield calendarFile({ genre: genre.id }, `${service}: ${genre.name} (${own?.name ?? ''})`, pieces);
  for (const category of categories) {
    const isOwn = category === own;
    yield eventsFile({ genre: genre.id, category: category.id }, isOwn ? upcoming : 0, isOwn ? events : []);
  }
}
