import type { Service, Totals } from '../catalogue/model.ts';
import type { IndexDocument } from './documents.ts';
import { joinLines } from './text.ts';
import { documentPath, interfaceVersion, listLimit, operationPath, root } from './paths.ts';

/** Ids that exist, so that the example queries work. */
export type ExampleQuery = Readonly<Partial<Record<'category' | 'genre', string>>>;

/** What the index document says besides the name and licence. */
interface IndexParts {
  /** Without a final slash. */
  readonly baseUrl: string;
  readonly totals: Totals;
  /** ISO 8601 in UTC. */
  readonly lastSync: string;
  readonly example: ExampleQuery;
}

/** Returns the index document (specification 2.1). */
export function indexDocument(
  service: Pick<Service, 'name' | 'license'>,
  { baseUrl, totals, lastSync, example }: IndexParts,
): IndexDocument {
  const { genres, subjects, upcoming, categories } = totals;
  return {
    name: service.name,
    version: interfaceVersion,
    documentation: `${baseUrl}/${root}/`,
    license: service.license,
    catalogue: {
      genres,
      subjects,
      upcoming,
      categories,
      last_sync: lastSync,
    },
    endpoints: endpoints(example),
    note: joinLines(`Every event has time_known and precision.
      When time_known is false the date is real
      and the clock time is not: show only the date,
      never a time of day.`),
  };
}

/**
 * Describes the three operations, each under a label with an example query (specification 4, rule
 * 3).
 */
function endpoints(example: ExampleQuery): Record<string, string> {
  const categoryQuery = example.category ? `?category=${example.category}` : '';
  const genreIs = example.genre ? `genre=${example.genre}&` : '';
  const eventsQuery = example.category ? `?${genreIs}category=${example.category}&limit=10` : '';
  const category = '{category}';
  const genre = '{genre}';
  const plain = `a host that runs no code ignores the query
    and returns the unfiltered list;
    "filters" in the response shows this`;
  const categories = `Every category with its genre count
    and upcoming count;
    as a file:
    /${documentPath({ operation: 'categories' })}.`;
  const genres = `Genres, all or those of one category;
    as files:
    /${documentPath({ operation: 'genres' })} and
    /${documentPath({ operation: 'genres', category })}
    (${plain}).`;
  const events = `Upcoming events, soonest first, filtered
    by genre and category, at most ${listLimit};
    as files:
    /${documentPath({ operation: 'events' })},
    /${documentPath({ operation: 'events', category })},
    /${documentPath({ operation: 'events', genre })}
    and
    /${documentPath({ operation: 'events', category, genre })}
    (${plain}).`;
  return {
    [`GET /${operationPath('categories')}`]: joinLines(categories),
    [`GET /${operationPath('genres')}${categoryQuery}`]: joinLines(genres),
    [`GET /${operationPath('events')}${eventsQuery}`]: joinLines(events),
  };
}
