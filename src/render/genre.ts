import type { SiteFile } from '../api/site-file.ts';
import type { Category } from '../catalogue/model.ts';
import type { EventTexts } from './event-texts.ts';
import type { GenreRecords } from './records.ts';
import { renderScope } from './scope.ts';

/**
 * Renders the files of one genre: its own, and those of its pair with each category. A pair of a genre and another
 * category has no events.
 *
 * @param service the name of the service
 */
export function* renderGenre(
  { genre, upcoming, underWay, announced }: GenreRecords,
  texts: EventTexts,
  service: string,
  categories: readonly Category[],
): Generator<SiteFile> {
  const home = categories.find(({ id }) => id === genre.category);
  const totals = { upcoming, underWay, announced };
  const events = { ...texts, totals, title: `${service}: ${genre.name} (${home?.name ?? ''})` };
  yield* renderScope({ ...events, filters: { genre: genre.id } });
  for (const category of categories) {
    const filters = { genre: genre.id, category: category.id };
    yield* renderScope({ ...(category === home ? events : noEvents), filters });
  }
}

const noEvents = {
  upcoming: [],
  underWay: [],
  cancelled: [],
  announced: [],
  totals: { upcoming: 0, underWay: 0, announced: 0 },
  title: '',
};
