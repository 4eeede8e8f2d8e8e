import type { SiteFile } from '../api/site-file.ts';
import type { PageContext } from './context.ts';
import { html } from '../render/html.ts';
import { tables } from './words/tables.ts';

const perSitemap = 50_000;

/**
 * Lists pages for search engines. Above 50,000 pages, `sitemap.xml` lists further sitemaps.
 *
 * @param count the number of pages
 * @param paths returns their paths in order
 */
export function* sitemaps(
  baseUrl: string,
  count: number,
  paths: () => readonly string[],
): Generator<SiteFile> {
  const address = (path: string) => html`<loc>${`${baseUrl}/${path}`}</loc>`.markup;
  const urlset = (start: number) => {
    const urls = paths().slice(start, start + perSitemap);
    return sitemap(
      'urlset',
      urls.map((path) => `<url>${address(path)}</url>\n`),
    );
  };
  if (count <= perSitemap) {
    yield { path: 'sitemap.xml', content: () => urlset(0) };
    return;
  }
  const names: string[] = [];
  for (let start = 0; start < count; start += perSitemap) {
    const path = `sitemap-${names.length + 1}.xml`;
    names.push(path);
    yield { path, content: () => urlset(start) };
  }
  const entries = names.map((name) => `<sitemap>${address(name)}</sitemap>\n`);
  yield { path: 'sitemap.xml', content: sitemap('sitemapindex', entries) };
}

function sitemap(kind: string, entries: readonly string[]): string[] {
  const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<${kind} xmlns="${namespace}">\n`;
  return [head, ...entries, `</${kind}>\n`];
}

export function robots(baseUrl: string): SiteFile {
  return {
    path: 'robots.txt',
    content: `User-agent: *\nAllow: /\n\nSitemap: ${baseUrl}/sitemap.xml\n`,
  };
}

/**
 * The texts that the script of the pages says, in the language of the site.
 *
 * @param script its text, which has the name of each of them
 */
export function wordsFile({ language }: PageContext, script: string): SiteFile {
  const words = Object.entries(tables[language].pages).filter(([word]) =>
    script.includes(`"${word}"`),
  );
  return {
    path: 'assets/words.js',
    content: `export default ${JSON.stringify(Object.fromEntries(words))};\n`,
  };
}

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
  return {
    path: 'site.webmanifest',
    content: `${JSON.stringify(manifest)}\n`,
  };
}

/**
 * Returns the assets with the accent of the service in the style and the icon. Browsers expect one
 * icon at the root.
 */
export function* styledAssets(
  assets: readonly SiteFile[],
  accent: string | null,
): Generator<SiteFile> {
  for (const { path, content } of assets) {
    if (path === 'assets/favicon.ico') yield { path: 'favicon.ico', content };
    else if (accent === null || typeof content !== 'string') yield { path, content };
    else if (path === 'assets/style.css') yield { path, content: content + accentStyle(accent) };
    else
      yield {
        path,
        content: path === 'assets/icon.svg' ? content.replace('#8f2d0f', accent) : content,
      };
  }
}

/**
 * Darkens or lightens an accent until texts of any hue can be read on the paper of both themes
 * (WCAG 2.2, 1.4.3).
 */
export function accentStyle(accent: string): string {
  const [light, dark] = ['min(l, 0.47)', 'max(l, 0.72)'].map(
    (lightness) => `oklch(from ${accent} ${lightness} c h)`,
  );
  return `:root{--accent:light-dark(${light},${dark})}\n`;
}
