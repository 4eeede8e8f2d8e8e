import type {
  CategoryRecord,
  ChangesDocument,
  EventRecord,
  GenreRecord,
  IndexDocument,
  ProblemDocument,
} from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { indexDocument, type ExampleQuery } from '../api/index-document.ts';
import { openapiDocument, type OpenApi } from '../api/openapi/document.ts';
import {
  changesPath,
  documentPath,
  indexPath,
  llmsPath,
  markdownReferencePath,
  notFoundPath,
  openapiPath,
  operationPath,
  operations,
  type Filters,
} from '../api/paths.ts';
import { problemDocument } from '../api/problems.ts';
import type { SiteFile } from '../api/site-file.ts';
import type { Service } from '../catalogue/model.ts';
import { renderFeed } from './feed.ts';
import { llmsText, markdownReference } from './reference-text.ts';
import { renderScope } from './scope.ts';
import type { Summary } from './summary.ts';

/** The documents that describe the service and its interface. */
export interface Descriptions {
  readonly index: IndexDocument;
  readonly notFound: ProblemDocument;
  readonly openapi: OpenApi;
}

/** The parts of a site that do not come from its events. */
export interface SiteOptions {
  readonly service: Service;
  /** Without a final slash. */
  readonly baseUrl: string;
  readonly descriptions: Descriptions;
  /** What changed. Null if the site has no bulk files. */
  readonly log: ChangesDocument | null;
  /** Whether the genres have a file at a path. */
  readonly hasFile: (path: string) => boolean;
}

/** Renders every file of the site except its manifest, its pages and the files of its genres. */
export function* renderSite(summary: Summary, site: SiteOptions): Generator<SiteFile> {
  for (const file of renderLists(summary, site.service)) {
    yield file;
    // The same document at the specification's own path (specification 4).
    const operation = operations.find((one) => file.path === documentPath({ operation: one }));
    if (operation !== undefined) yield { path: operationPath(operation), content: file.content };
  }
  yield* renderDescriptions(site);
  if (site.log !== null) yield* renderChanges(summary, site, site.log);
  yield { path: '.nojekyll', content: '' };
}

/** The lists of the categories, of the genres, and of the events of everything and of each category. */
function* renderLists(summary: Summary, { name }: Service): Generator<SiteFile> {
  const { categories, genres, everything, byCategory } = summary;
  yield { path: documentPath({ operation: 'categories' }), content: jsonText({ categories }) };
  yield genresFile(null, genres);
  yield* renderScope({ ...everything, filters: {}, title: name });
  for (const category of categories) {
    const scope = byCategory.get(category.id);
    if (scope === undefined) continue;
    yield genresFile(category.id, scope.genres);
    const [filters, title] = [{ category: category.id }, `${name}: ${category.name}`];
    yield* renderScope({ ...scope, filters, title });
  }
}

/**
 * Describes the service (specification 2.1) and its interface, with examples from the catalogue.
 *
 * @param lastSync ISO 8601 UTC with milliseconds (specification 2.2)
 */
export function describeSite(summary: Summary, service: Service, baseUrl: string, lastSync: string): Descriptions {
  const { totals, categories, genres, everything } = summary;
  const index = indexDocument(service, baseUrl, totals, lastSync, exampleQuery(categories, genres));
  const detail = `There is no such document. For a list of all documents, see ${baseUrl}/${indexPath}`;
  const notFound = problemDocument(baseUrl, 'not-found', detail);
  const events = everything.upcoming.map(({ json }) => JSON.parse(json) as EventRecord);
  const openapi = openapiDocument(baseUrl, { index, notFound, categories, genres, events }, service.isBulk);
  return { index, notFound, openapi };
}

function* renderDescriptions({ service, baseUrl, descriptions }: SiteOptions): Generator<SiteFile> {
  const { index, notFound, openapi } = descriptions;
  yield { path: indexPath, content: jsonText(index) };
  yield { path: notFoundPath, content: jsonText(notFound) };
  yield { path: openapiPath, content: jsonText(openapi) };
  yield { path: markdownReferencePath, content: markdownReference(service, baseUrl, openapi) };
  yield { path: llmsPath, content: llmsText(service, baseUrl, index, openapi) };
}

/** The change log of everything, and a feed for each scope. */
function* renderChanges(
  { categories, genres }: Summary,
  { service, baseUrl, hasFile }: SiteOptions,
  log: ChangesDocument,
): Generator<SiteFile> {
  yield { path: changesPath, content: jsonText(log) };
  const authority = service.authority ?? new URL(baseUrl).hostname;
  const head = { author: service.name, baseUrl, authority, since: log.since, hasFile };
  const fileOf = (filters: Filters, title: string, changes: ChangesDocument['changes']): SiteFile => ({
    path: formatPath(formats.feed, filters),
    content: renderFeed({ ...head, filters, title }, changes),
  });
  yield fileOf({}, service.name, log.changes);
  for (const { id, name } of categories) {
    const changes = log.changes.filter(({ category }) => category === id);
    yield fileOf({ category: id }, `${service.name}: ${name}`, changes);
  }
  for (const { id, name, category } of genres) {
    const changes = log.changes.filter(({ genre }) => genre === id);
    const categoryName = categories.find((one) => one.id === category)?.name ?? '';
    yield fileOf({ genre: id }, `${service.name}: ${name} (${categoryName})`, changes);
  }
}

/** All genres, or those of one category. */
function genresFile(category: string | null, genres: readonly GenreRecord[]): SiteFile {
  return {
    path: documentPath({ operation: 'genres', category }),
    content: jsonText({ filters: { category }, genres }),
  };
}

/** A published JSON document: compact, with one final newline. */
function jsonText(document: unknown): string {
  return `${JSON.stringify(document)}\n`;
}

/** Returns the genre with the most upcoming events, the first of them by id; without genres, only a category. */
function exampleQuery(
  [category]: readonly CategoryRecord[],
  [first, ...rest]: readonly GenreRecord[],
): ExampleQuery | null {
  if (category === undefined) return null;
  if (first === undefined) return { genre: null, category: category.id };
  const best = rest.reduce((most, genre) => (genre.upcoming > most.upcoming ? genre : most), first);
  return { genre: best.id, category: best.category };
}
