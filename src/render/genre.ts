import type { SiteFile } from '../api/site-file.ts';
import type { Category, GenreSummary } from '../catalogue/model.ts';
import type { EventTexts } from './event-texts.ts';
import { renderScope } from './scope.ts';

/**
 * Renders the files of one genre: its own, and those of its pair with each category. A pair of a genre and another
 * category has no events.
 *
 * @param service the name of the service
 */
export function* renderGenre(
  { genre, upcoming: total }: GenreSummary,
  texts: EventTexts,
  service: string,
  categories: readonly Category[],
): Generator<SiteFile> {
  const own = categories.find(({ id }) => id === genre.category);
  const events = { ...texts, total, title: `${service}: ${genre.name} (${own?.name ?? ''})` };
  yield* renderScope({ ...events, filters: { genre: genre.id } });
  for (const category of categories) {
    const filters = { genre: genre.id, category: category.id };
    yield* renderScope({ ...(category === own ? events : noEvents), filters });
  }
}

const noEvents = { upcoming: [], cancelled: [], total: 0, title: '' };
