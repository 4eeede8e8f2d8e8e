import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { buildTree } from '../setup/build-site.ts';
import { readTree, type Tree } from '../setup/folders.ts';
import { catalogue, now } from './catalogue.ts';

const baseUrl = 'https://example.org/almanac';

async function build(data: Tree, changes: object = {}): Promise<Map<string, string>> {
  const service = { ...(data['service.json'] as object), ...changes };
  const built = readTree(await buildTree({ ...data, 'service.json': service }, now, baseUrl));
  return new Map(Array.from(built, ([path, bytes]) => [path, String(bytes)]));
}

const site = await build(catalogue);
const pages = [...site.keys()].filter((path) => path.endsWith('.html'));

/** The texts of a page that match a pattern with one group. */
function textsIn(page: string, pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map(([, text = '']) => text);
}

test('every page describes itself', () => {
  for (const path of pages) {
    const page = site.get(path) ?? '';
    const contentOf = (name: string): string | undefined =>
      textsIn(page, new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`, 'g'))[0];
    expect(textsIn(page, /<title>([^<]+)<\/title>/g), path).toHaveLength(1);
    expect(contentOf('description'), path).not.toBe('');
    for (const name of ['og:title', 'og:description', 'og:image', 'twitter:card']) {
      expect(contentOf(name), `${path} ${name}`).toBeTruthy();
    }
    expect(contentOf('og:image')).toBe(`${baseUrl}/assets/preview.png`);
    expect(contentOf('og:image:alt')).toBe('A year as a grid of days, darker where more happens');
    const [canonical] = textsIn(page, /<link rel="canonical" href="([^"]+)"/g);
    if (path !== '404.html') expect(canonical, path).toMatch(new RegExp(`^${baseUrl}/`));
    expect(textsIn(page, /<html lang="([^"]+)"/g)).toEqual(['en']);
    expect(page.match(/<h1[ >]/g), path).toHaveLength(1);
  }
  const titles = pages
    .filter((path) => path !== 'month/index.html')
    .map((path) => textsIn(site.get(path) ?? '', /<title>([^<]+)/g)[0]);
  expect(new Set(titles).size).toBe(titles.length);
});

test.each([
  [
    'index.html',
    'What is coming up',
    /^Next: Heron: Static fire, November 20, 2026; .* 240 upcoming events, 5 subjects\.$/,
  ],
  [
    'category/film/index.html',
    'Film: 4 upcoming events',
    /^Next: Quiet Picture: General release, December 1, 2026; .*\.$/,
  ],
  [
    'genre/premieres-film/index.html',
    'Premieres (Film): 3 upcoming events',
    /^Next: Quiet Picture: General release, December 1, 2026; /,
  ],
  [
    'genre/premieres-film/quiet-picture/index.html',
    'Quiet Picture: General release, Tuesday, December 1, 2026',
    /^Next: Quiet Picture: General release, December 1, 2026; .* Premieres\.$/,
  ],
  [
    'month/2027-02/index.html',
    'February 2027: 29 events',
    /^Next: Station: Pass 32, February 1, 2027; /,
  ],
  ['year/index.html', 'Year: 240 upcoming events', /^Events of each day/],
  ['lists/index.html', 'Lists', /^Lists: November 2026, December 2026, January 2027, /],
  [
    'changes/index.html',
    'Changes',
    /^What was cancelled, removed, postponed, moved, dated, added or changed\.$/,
  ],
  ['following/index.html', 'Following', /./],
  ['search/index.html', 'Search', /./],
  ['404.html', 'There is no page at this address', /./],
  ['api/v1/index.html', 'API reference', /^How to fetch the events/],
])(
  'the title and the description of %s answer, with the name of the site once',
  (path, title, description) => {
    const text = (site.get(path) ?? '')
      .replaceAll('&#38;', '&')
      .replaceAll('&#60;', '<')
      .replaceAll('&#62;', '>');
    const contentOf = (name: string) =>
      textsIn(text, new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`, 'g'))[0];
    expect(textsIn(text, /<title>(.*?)<\/title>/g)).toEqual([`${title} – Almanac & <Sons>`]);
    expect(contentOf('og:title')).toBe(title);
    expect(contentOf('description')).toMatch(description);
    expect(contentOf('og:description')).toBe(contentOf('description'));
  },
);

test('lists name their other formats', () => {
  const alternates = (path: string) =>
    textsIn(site.get(path) ?? '', /<link rel="alternate" type="[^"]+" href="([^"]+)"/g);
  expect(alternates('index.html')).toEqual(
    expect.arrayContaining([`${baseUrl}/api/v1/events.ics`, `${baseUrl}/api/v1/events.json`]),
  );
  expect(alternates('category/film/index.html')).toContain(
    `${baseUrl}/api/v1/category/film/events.ics`,
  );
  expect(alternates('genre/premieres-film/index.html')).toContain(
    `${baseUrl}/api/v1/genre/premieres-film/events.json`,
  );
});

test('every link in a page leads to a file of the site', () => expectLinksWithin(site));

function expectLinksWithin(files: ReadonlyMap<string, string>): void {
  for (const [path, page] of files) {
    if (!path.endsWith('.html')) continue;
    const base = path === '404.html' ? `${baseUrl}/` : `${baseUrl}/${path}`;
    const addresses = textsIn(page, / (?:href|src|action)="([^"]+)"/g)
      .map((address) => new URL(address.replaceAll('&#38;', '&'), base))
      .filter(({ href }) => href.startsWith(`${baseUrl}/`));
    expect(addresses.length, path).toBeGreaterThan(3);
    for (const { pathname, hash: fragment } of addresses) {
      const file = pathname.slice('/almanac/'.length).replace(/(^|\/)$/, '$1index.html');
      expect(files.has(file), `${path} links to ${pathname}`).toBe(true);
      if (fragment !== '' && file.startsWith('genre/'))
        expect(files.get(file), `${path} to ${file}${fragment}`).toContain(
          `id="${decodeURIComponent(fragment.slice(1))}"`,
        );
    }
  }
}

test('the sitemap lists the pages, and robots find it', () => {
  const listed = textsIn(site.get('sitemap.xml') ?? '', /<loc>([^<]+)<\/loc>/g);
  expect(listed).toContain(`${baseUrl}/genre/premieres-film/quiet-picture/`);
  for (const address of listed)
    expect(site.has(`${address.slice(baseUrl.length + 1)}index.html`), address).toBe(true);
  expect(site.get('robots.txt')).toContain(`Sitemap: ${baseUrl}/sitemap.xml`);
  const manifest = JSON.parse(site.get('site.webmanifest') ?? '') as { icons: { src: string }[] };
  for (const { src } of manifest.icons) expect(site.has(src), src).toBe(true);
});

test('the security policy of each page allows its inline script and no other', () => {
  for (const path of pages) {
    const page = site.get(path) ?? '';
    expect(page).toContain('content="default-src &#39;none&#39;; script-src &#39;self&#39;');
    for (const script of textsIn(page, /<script>([^]*?)<\/script>/g)) {
      expect(page).toContain(`&#39;sha256-${hash('sha256', script, 'base64')}&#39;`);
    }
  }
});

test.each([
  [
    'genres',
    ['category/film/index.html', 'genre/premieres-film/index.html'],
    ['genre/premieres-film/quiet-picture/index.html', 'month/2026-12/index.html'],
  ],
  [
    'home',
    ['index.html', '404.html'],
    [
      'category/film/index.html',
      'genre/premieres-film/index.html',
      'month/2026-12/index.html',
      'search/index.html',
    ],
  ],
] as const)(
  '"pages": "%s" leaves pages out, and no link leads to them',
  async (switched, present, absent) => {
    const small = await build(catalogue, { pages: switched });
    for (const path of present) expect(small.has(path), path).toBe(true);
    for (const path of absent) expect(small.has(path), path).toBe(false);
    expectLinksWithin(small);
  },
);

test('language, direction, tagline and accent come from service.json', async () => {
  const german = await build(catalogue, {
    lang: 'de',
    tagline: 'Was der Himmel bringt',
    accent: '#0a0',
  });
  expect(german.get('index.html')).toContain('<html lang="de">');
  expect(german.get('index.html')).toContain('Was der Himmel bringt');
  expect(german.get('index.html')).toContain('Dienstag');
  expect([...german.keys()].filter((path) => path.includes('words'))).toEqual(['assets/words.js']);
  expect(german.get('assets/words.js')).toContain('"today":"Heute"');
  expect(german.get('assets/style.css')).toMatch(
    /:root\{--accent:light-dark\(oklch\(from #0a0 .*\)\}\n$/,
  );
  const arabic = await build(catalogue, { lang: 'ar' });
  expect(arabic.get('index.html')).toContain('<html lang="ar" dir="rtl">');
});

test('the footer names almanac, unless service.json says otherwise', async () => {
  const footers = (files: ReadonlyMap<string, string>): (string | undefined)[] =>
    pages.map((path) => /<footer.*?<\/footer>/s.exec(files.get(path) ?? '')?.[0]);
  expect(footers(site).filter((footer) => !footer?.includes('Made with almanac'))).toEqual([]);
  expect(
    footers(await build(catalogue, { credit: false })).filter((footer) =>
      footer?.includes('almanac<'),
    ),
  ).toEqual([]);
});

test('the page of a subject leads to where its source file is edited, if service.json says so', async () => {
  const linked = await build(catalogue, {
    edit_url: 'https://example.org/edit/data/{path}?plain=1',
  });
  const found = [...linked].flatMap(([path, text]) =>
    Array.from(text.matchAll(/href="https:\/\/example\.org\/edit\/data\/([^"]+)"/g), ([, file]) => [
      path,
      file,
    ]),
  );
  const subjects = pages.filter((path) =>
    /^genre\/[^/]+\/(?!page\/)[^/]+\/index\.html$/.test(path),
  );
  expect(new Set(found.map(([path]) => path))).toEqual(new Set(subjects));
  const [file = ''] = (found[0]?.[1] ?? '').split('?');
  expect(Object.keys(catalogue)).toContain(file);
  expect(pages.filter((path) => site.get(path)?.includes('Suggest a correction'))).toEqual([]);
});
