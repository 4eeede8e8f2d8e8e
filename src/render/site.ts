import type {
  CategoryRecord,
  ChangeRecord,
  ChangesDocument,
  GenreRecord,
  ListRecord,
} from '../api/documents.ts';
import { formatPath, formats, hasFormat, isWritten } from '../api/formats.ts';
import { indexDocument, type ExampleQuery } from '../api/index-document.ts';
import { openapiDocument } from '../api/openapi/document.ts';
import {
  changesPath,
  documentPath,
  indexPath,
  listsPath,
  llmsPath,
  notFoundPath,
  openapiPath,
  operationPath,
  operations,
  scopeFolder,
} from '../api/paths.ts';
import { problemDocument } from '../api/problems.ts';
import { idsOf, kindOf, listOf, scopesOf, scopesOfKind, type Filters } from '../api/scopes.ts';
import { collectionFinder, type Collection } from '../catalogue/collection.ts';
import { lazy } from '../catalogue/lazy.ts';
import type { SiteFile } from '../api/site-file.ts';
import type { FormerIds } from '../catalogue/model.ts';
import { renderFeed } from './feed.ts';
import { renderEvents } from './formats.ts';
import { renderGeojson } from './geojson.ts';
import { llmsText } from './reference-text.ts';
import { describeScope, listName, type RenderContext } from './scope.ts';
import { firstEntries, type Summary } from './summary.ts';

/** The parts of a site that do not come from its events. */
export interface SiteOptions extends RenderContext {
  /** Describes the service and its interface. */
  readonly descriptions: () => ReturnType<typeof describeSite>;
  readonly lists: readonly ListRecord[];
  /** What changed. Null if the site has no memory. */
  readonly log: ChangesDocument | null;
  readonly former: FormerIds;
  readonly hasFile: (path: string) => boolean;
}

/** Renders every file of the site except its manifest, its pages and the files of its genres. */
export function* renderSite(summary: Summary, site: SiteOptions): Generator<SiteFile> {
  for (const file of renderLists(summary, site)) {
    yield file;
    // The same document at the specification's own path (specification 4).
    const operation = operations.find((name) => file.path === documentPath({ operation: name }));
    if (operation !== undefined)
      yield {
        path: operationPath(operation),
        content: file.content,
      };
  }
  yield* renderDescriptions(site);
  if (site.log !== null) yield* renderChanges(summary, site, site.log);
  yield { path: '.nojekyll', content: '' };
}

/**
 * The lists of the categories and of the genres, and the files of the scopes that have events of
 * several genres.
 */
function* renderLists(
  { categories, genres, scopes, points }: Summary,
  context: SiteOptions,
): Generator<SiteFile> {
  yield {
    path: documentPath({ operation: 'categories' }),
    content: () => jsonText({ categories }),
  };
  for (const category of [null, ...categories.map(({ id }) => id)]) {
    const listed = genres.filter((genre) => category === null || genre.category === category);
    const path = documentPath({ operation: 'genres', category });
    yield {
      path,
      content: () =>
        jsonText({
          filters: { category },
          genres: listed,
        }),
    };
  }
  yield {
    path: listsPath,
    content: () => jsonText({ lists: context.lists }),
  };
  for (const scope of scopes) yield* renderEvents(scope, context);
  if (isWritten('geojson', context.service)) {
    yield {
      path: formatPath(formats.geojson, {}),
      content: () => renderGeojson(points),
    };
  }
}

/** Returns the months, countries, tags and collections that have files, in this order and by id. */
export function listRecords(
  { scopes }: Pick<Summary, 'scopes'>,
  context: RenderContext,
): ListRecord[] {
  return scopes.flatMap(({ filters, totals }) => {
    const list = listOf(filters);
    if (list === null) return [];
    const name = listName(filters, context);
    return [
      {
        ...list,
        name,
        upcoming: totals.upcoming,
        path: `${scopeFolder(filters)}/`,
      },
    ];
  });
}

/** Describes the service (specification 2.1) and its interface. `lastSync` is ISO 8601 in UTC. */
export function describeSite(
  summary: Summary,
  { service, baseUrl, lists }: Pick<SiteOptions, 'service' | 'baseUrl' | 'lists'>,
  lastSync: string,
) {
  const { totals, categories, genres, soonest } = summary;
  const example = exampleQuery(categories, genres);
  const index = indexDocument(service, {
    baseUrl,
    totals,
    lastSync,
    example,
  });
  const detail = `There is no such document. For a list of all documents, see ${baseUrl}/${indexPath}`;
  const notFound = problemDocument(baseUrl, 'not-found', detail);
  const [event] = soonest.get(example.genre ?? '') ?? [];
  const ids = {
    ...example,
    ...(event && { subject: event.subject.id }),
    ...Object.fromEntries(lists.toReversed().map(({ kind, id }) => [kind, id])),
  };
  const openapi = lazy(() =>
    openapiDocument({
      baseUrl,
      service,
      index,
      notFound,
      ids,
    }),
  );
  return { index, notFound, openapi };
}

function* renderDescriptions({ service, baseUrl, descriptions }: SiteOptions): Generator<SiteFile> {
  yield {
    path: indexPath,
    content: () => jsonText(descriptions().index),
  };
  yield {
    path: notFoundPath,
    content: () => jsonText(descriptions().notFound),
  };
  yield {
    path: openapiPath,
    content: () => jsonText(descriptions().openapi()),
  };
  const llms = () => {
    const { index, openapi } = descriptions();
    return llmsText(service, baseUrl, index, openapi());
  };
  yield { path: llmsPath, content: llms };
}

/** The change log, and the files of each scope that are rendered from its changes. */
function* renderChanges(
  summary: Summary,
  site: SiteOptions,
  log: ChangesDocument,
): Generator<SiteFile> {
  yield { path: changesPath, content: () => jsonText(log) };
  const { service, categories, genres, collections, hasFile, former } = site;
  const changesOf = lazy(() => changesByScope(log, former, [...collections.values()]));
  const ids = {
    category: [...categories.keys()],
    genre: [...genres.keys()],
    collection: [...collections.keys()],
  };
  for (const filters of formats.feed.scopes.flatMap((kind) => scopesOfKind(kind, ids))) {
    if (!hasFormat('feed', kindOf(filters), service)) continue;
    const changes = (): readonly ChangeRecord[] =>
      log.changes.length === 0
        ? firstChanges(summary, filters, site.since)
        : (changesOf().get(scopeFolder(filters)) ?? []);
    const content = () =>
      renderFeed({
        ...describeScope(filters, site),
        changes: changes(),
        hasFile,
      });
    yield { path: formatPath(formats.feed, filters), content };
  }
}

/**
 * Returns the soonest events of a scope as additions, so that feeds are not empty until the log has
 * its first entry.
 */
function firstChanges(
  { scopes, soonest }: Summary,
  filters: Filters,
  since: string,
): ChangeRecord[] {
  const folder = scopeFolder(filters);
  const scope = scopes.find((candidate) => scopeFolder(candidate.filters) === folder);
  const upcoming = scope?.upcoming.map(({ record }) => record);
  const events = upcoming ?? soonest.get(filters.genre ?? '') ?? [];
  const unchanged = events.filter(({ updated_at: time }) => time === null);
  return unchanged.slice(0, firstEntries).map((event) => {
    const { id, title, subject, genre, category } = event;
    return {
      at: since,
      kind: 'added',
      id,
      title,
      subject,
      genre,
      category,
      before: null,
      after: { ...event },
    };
  });
}

/**
 * Returns the changes of each scope by its folder. Those of a former id belong to the scopes of the
 * new one.
 */
function changesByScope(
  { changes }: ChangesDocument,
  { genres, categories }: FormerIds,
  collections: readonly Collection[],
): ReadonlyMap<string, ChangeRecord[]> {
  const scopes = new Map<string, ChangeRecord[]>();
  const find = collectionFinder(collections);
  for (const change of changes) {
    const { id: genre, category: categoryId } = genres.get(change.genre) ?? {
      ...change,
      id: change.genre,
    };
    const category = categories.get(categoryId) ?? categoryId;
    // A collection may be younger than the change, which does not say which tags and country the
    // event had.
    const collection = [
      ...new Set([
        ...(change.collections ?? []),
        ...find({
          ...change,
          genre,
          category,
        }),
      ]),
    ];
    for (const filters of scopesOf({
      ...idsOf({ genre, category }),
      collection,
    })) {
      const folder = scopeFolder(filters);
      scopes.set(folder, [...(scopes.get(folder) ?? []), change]);
    }
  }
  return scopes;
}

function jsonText(document: unknown): string {
  return `${JSON.stringify(document)}\n`;
}

/**
 * Returns the genre with the most upcoming events, the first of them by id; without genres, a
 * category alone.
 */
function exampleQuery(
  [category]: readonly CategoryRecord[],
  genres: readonly GenreRecord[],
): ExampleQuery {
  const [best] = genres.toSorted((a, b) => b.upcoming - a.upcoming);
  if (best === undefined) return category === undefined ? {} : { category: category.id };
  return {
    genre: best.id,
    category: best.category,
  };
}
