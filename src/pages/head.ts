import { openapiPath } from '../api/paths.ts';
import { formatPath, formats, formatsOf } from '../api/formats.ts';
import { kindOf, type Filters } from '../api/scopes.ts';
import { html, type Markup } from '../render/html.ts';
import type { PageContext } from './context.ts';
import { breadcrumbData, type Crumb } from './structured-data.ts';

/** What the head of a page says about it, to search engines, link previews and programs. */
export interface PageHead {
  /** Without the name of the site, which follows it in the window. */
  readonly title: string;
  readonly description: string;
  /** The path of the page, relative to the base URL. Null for a page that answers at many URLs. */
  readonly path: string | null;
  /** Another page that search engines should list instead of this one. */
  readonly canonical?: string;
  /** The address, relative to this page, of the page that browsers open instead of this one. */
  readonly refresh?: string;
  /** The scope whose events the page shows: its files are alternates of the page. */
  readonly filters?: Filters;
  /** Other files that are alternates of the page: their media types and their paths. */
  readonly alternates?: readonly (readonly [type: string, path: string])[];
  /** The pages above it, and itself at the end. */
  readonly crumbs?: readonly Crumb[];
  readonly data?: readonly object[];
  readonly isListed?: boolean;
  /** The address of a picture of what the page is about. Default: that of the site. */
  readonly image?: string | null;
}

/** Renders the elements of a head that describe its page. */
export function description(context: PageContext, head: PageHead): Markup {
  const { service, baseUrl } = context;
  const {
    title,
    description: text,
    path,
    canonical = path,
    filters,
    alternates = [],
    refresh,
  } = head;
  const { crumbs = [], data = [], image = null } = head;
  const scope = filters && kindOf(filters);
  const scopeLinks = (scope === undefined ? [] : formatsOf(scope, service)).map((name) => {
    return [formats[name].mediaType, formatPath(formats[name], filters ?? {})] as const;
  });
  const graph = [...(crumbs.length > 0 ? [breadcrumbData(context, crumbs)] : []), ...data];
  const address = canonical === null ? null : `${baseUrl}/${canonical}`;
  return html`<title>${title} – ${service.name}</title>
    <meta name="description" content="${text}" />
    ${
      address !== null &&
      html`<link rel="canonical" href="${address}" />
        <meta property="og:url" content="${address}" />`
    }
    ${refresh !== undefined && html`<meta http-equiv="refresh" content="0; url=${refresh}" />`}
    ${head.isListed === false && html`<meta name="robots" content="noindex" />`}
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${text}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${service.name}" />
    ${image !== null ? html`<meta property="og:image" content="${image}" />` : sitePicture(context)}
    <meta name="twitter:card" content="summary_large_image" />
    ${[...scopeLinks, ...alternates].map(
      ([type, file]) => html`<link rel="alternate" type="${type}" href="${baseUrl}/${file}" /> `,
    )}
    ${scope === 'everything' && html`<link rel="service-desc" type="application/json" href="${baseUrl}/${openapiPath}" />`}
    ${graph.length > 0 && structuredData(graph)}`;
}

function sitePicture({ baseUrl, text }: PageContext): Markup {
  return html`<meta property="og:image" content="${baseUrl}/assets/preview.png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="${text('preview')}" />`;
}

/** JSON in an element whose content is not markup: a `<` could end it, so it is escaped as JSON. */
function structuredData(data: readonly object[]): Markup {
  const json = JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': data,
  }).replaceAll('<', '\\u003c');
  return { markup: `<script type="application/ld+json">${json}</script>\n` };
}
