import type { OpenApi } from '../../api/openapi/document.ts';
import { notFoundPagePath, root } from '../../api/paths.ts';
import type { SiteFile } from '../../api/site-file.ts';
import { browsePage, type Browsing } from './browse.ts';
import { notFoundPage } from './not-found.ts';
import { referencePage } from './reference.ts';

interface Pages extends Browsing {
  readonly openapi: OpenApi;
  readonly assets: readonly SiteFile[];
}

/** What people look at, and what it loads. */
export function* planPages(pages: Pages): Generator<SiteFile> {
  const { service, baseUrl, openapi, assets } = pages;
  yield { path: 'index.html', content: browsePage(pages) };
  yield { path: `${root}/index.html`, content: referencePage(service, baseUrl, openapi) };
  yield { path: notFoundPagePath, content: notFoundPage(service, baseUrl) };
  yield* assets;
}
