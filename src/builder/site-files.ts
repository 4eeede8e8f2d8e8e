import type { ChangesDocument } from '../api/documents.ts';
import type { OpenApi } from '../api/openapi/document.ts';
import type { Parts, SiteTarget } from '../api/site-file.ts';
import { lazy } from '../catalogue/lazy.ts';
import type { FormerSubject } from '../catalogue/model.ts';
import { pageContext } from '../pages/context.ts';
import type { PageSummary } from '../pages/page-summary.ts';
import { renderPages } from '../pages/pages.ts';
import { movedPage } from '../pages/tools.ts';
import { formerFiles } from '../render/former.ts';
import { joinGenreFiles } from '../render/genre-files.ts';
import { renderContext } from '../render/scope.ts';
import { describeSite, listRecords, renderSite } from '../render/site.ts';
import type { Summary } from '../render/summary.ts';
import type { BuildPlan } from './options.ts';

/** What the files above the genres show. */
interface Content {
  readonly summary: Summary;
  readonly pages: PageSummary;
  /** The former ids of subjects. */
  readonly former: readonly FormerSubject[];
  /** What changed. Null if the site has no log. */
  readonly log: ChangesDocument | null;
  /** When the log begins. ISO 8601 UTC with milliseconds. */
  readonly since: string;
}

/**
 * Adds the files above the genres to a site that has those of the genres and of the owner. A file
 * of the owner replaces ours, and a file of the site a redirect from a former address.
 */
export function addSiteFiles(site: SiteTarget, plan: BuildPlan, content: Content): void {
  for (const file of joinGenreFiles(content.summary, plan.service)) site.add(file);
  addLists(site, plan, content);
  addFormer(site, plan, content);
}

/** Adds the lists, the documents that describe the service, the feeds and the pages. */
function addLists(site: SiteTarget, plan: BuildPlan, content: Content): void {
  const { summary, pages, log, since } = content;
  const { service, categories, baseUrl, assets, former } = plan;
  const scopes = renderContext(service, categories, summary.genres, { ...plan, since });
  const lists = listRecords(summary, scopes);
  const describe = (): ReturnType<typeof describeSite> =>
    describeSite(summary, { service, baseUrl, lists }, plan.lastSync);
  const descriptions = lazy(describe);
  const hasFile = (path: string) => site.has(path);
  const options = {
    ...scopes,
    descriptions,
    lists,
    log,
    hasFile,
    former,
  };
  for (const file of renderSite(summary, options)) site.add(file);
  const context = pageContext(plan, summary.genres);
  const openapi = (): OpenApi => descriptions().openapi();
  const sources = {
    pages,
    log,
    openapi,
    lists,
    assets,
  };
  for (const file of renderPages(context, summary, sources, site.paths()))
    if (!site.has(file.path)) site.add(file);
}

/** Adds the files at former addresses: pages that lead to new ones, and copies of documents. */
function addFormer(site: SiteTarget, plan: BuildPlan, content: Content): void {
  const context = pageContext(plan, content.summary.genres);
  const former = {
    ...plan.former,
    subjects: content.former,
  };
  for (const { path, source } of formerFiles([...site.paths()], former)) {
    if (site.has(path)) continue;
    const copy = function* (): Parts {
      yield { file: source, skip: 0, leave: 0 };
    };
    const isPage = path.endsWith('.html');
    site.add({
      path,
      content: isPage ? () => movedPage(context, path, source) : copy,
    });
  }
}
