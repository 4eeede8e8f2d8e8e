import type { ChangesDocument } from '../api/documents.ts';
import type { SiteFile } from '../api/site-file.ts';
import type { PageContext } from './context.ts';
import { html } from '../render/html.ts';
import { categoryPage, genrePage, subjectPage } from '../render/links.ts';
import { tables } from './words/tables.ts';

/** The maximum number of addresses in one sitemap (sitemaps.org). */
const perSitemap = 50_000;

/**
 * Lists pages for search engines. Above 50,000 pages, `sitemap.xml` lists further sitemaps.
 *
 * @param changed when pages changed last, as far as that is known, by their paths
 */
export function* sitemaps(
  baseUrl: string,
  paths: readonly string[],
  changed: ReadonlyMap<string, string>,
): Generator<SiteFile> {
  const address = (path: string): string => html`<loc>${`${baseUrl}/${path}`}</loc>`.markup;
  const document = (kind: string, entries: readonly string[]): string[] => [
    `<?xml version="1.0" encoding="UTF-8"?>\n<${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`,
    ...entries,
    `</${kind}>\n`,
  ];
  const sets = Array.from({ length: Math.ceil(paths.length / perSitemap) }, (_, n) =>
    paths.slice(n * perSitemap, (n + 1) * perSitemap),
  ).map((set) =>
    document(
      'urlset',
      set.map(
        (path) => `<url>${address(path)}${changed.has(path) ? `<lastmod>${changed.get(path)}</lastmod>` : ''}</url>\n`,
      ),
    ),
  );
  const [only, ...others] = sets;
  if (only !== undefined && others.length === 0) {
    yield { path: 'sitemap.xml', content: only };
    return;
  }
  const names = sets.map((_, n) => `sitemap-${n + 1}.xml`);
  for (const [n, content] of sets.entries()) yield { path: names[n] ?? '', content };
  const entries = names.map((name) => `<sitemap>${address(name)}</sitemap>\n`);
  yield { path: 'sitemap.xml', content: document('sitemapindex', entries) };
}

/** Returns when the pages of subjects, genres and categories changed last, according to the log of changes. */
export function lastChanges(log: ChangesDocument | null): Map<string, string> {
  const changed = new Map<string, string>();
  for (const { at, id, genre, category } of log?.changes ?? []) {
    const [, subject = ''] = id.split('/');
    // The newest change comes first.
    for (const path of ['', categoryPage(category), genrePage(genre), subjectPage(genre, subject)])
      if (!changed.has(path)) changed.set(path, at);
  }
  return changed;
}

/** Allows everything to robots, and names the sitemap. */
export function robots(baseUrl: string): SiteFile {
  return { path: 'robots.txt', content: `User-agent: *\nAllow: /\n\nSitemap: ${baseUrl}/sitemap.xml\n` };
}

/**
 * The texts that the script of the pages says, in the language of the site.
 *
 * @param script its text, which has the name of each of them
 */
export function wordsFile({ language }: PageContext, script: string): SiteFile {
  const words = Object.entries(tables[language].pages).filter(([word]) => script.includes(`"${word}"`));
  return { path: 'assets/words.js', content: `export default ${JSON.stringify(Object.fromEntries(words))};\n` };
}

/** The manifest with which a browser installs the site. */
export function webManifest({ service, locale, text }: PageContext): SiteFile {
  const icon = (size: number): object => ({
    src: `assets/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
  });
  const manifest = {
    name: service.name,
    short_name: service.name.slice(0, 12).trim(),
    description: service.tagline ?? text('comingUp'),
    lang: locale.lang,
    dir: locale.isRightToLeft ? 'rtl' : 'ltr',
    id: './',
    start_url: './',
    scope: './',
    display: 'minimal-ui',
    background_color: '#fbf8f1',
    theme_color: '#fbf8f1',
    icons: [icon(192), icon(512), { src: 'assets/icon.svg', sizes: 'any', type: 'image/svg+xml' }],
  };
  return { path: 'site.webmanifest', content: `${JSON.stringify(manifest)}\n` };
}
