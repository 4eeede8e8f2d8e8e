import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { catalogueIn, now, small } from '../bench/catalogue.ts';
import { buildSite, buildTree, type Events } from '../setup/build-site.ts';
import { lastingFolder, readTree } from '../setup/folders.ts';

/** Events in every state, in more numbers than one page lists. */
const crowded: Events = {
  'space/missions/probe': {
    Launch: '2027-03-01',
    Flight: { starts: '2026-11-01', ends: '2027-01-31' },
    ...Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`Landing ${n}`, '2028'])),
  },
  'space/passes/station': Object.fromEntries(
    Array.from({ length: 1100 }, (_, n) => [
      `Pass ${n}`,
      {
        starts: `2027-0${1 + (n % 6)}-11`,
        location: { name: 'Chile', country: 'CL' },
        tags: ['sky'],
      },
    ]),
  ),
};

const catalogues: Readonly<Record<string, () => Promise<string>>> = {
  starter: async () => buildTree(Object.fromEntries(readTree('data')), now),
  generated: async () =>
    buildTree(Object.fromEntries(readTree(catalogueIn(lastingFolder(), small))), now),
  crowded: async () => buildSite(crowded, now),
};

/**
 * A list page: the number in its heading, those of its upcoming events that it and its
 * continuations list, and links.
 */
function readPage(site: string, path: string) {
  const text = readFileSync(join(site, path, 'index.html'), 'utf8');
  const [, counted = ''] = /<h1>[^]*?<span class="count">([^<]*)<[^]*?<\/h1>/.exec(text) ?? [];
  // The list of a subject has its announcements and what is on now, and so has its number.
  const upcoming = text
    .replace(/<section class="(?:day now|announced)"[^]*?<\/section>|<main[^]*?id="list"/g, '')
    .replace(/<\/ol>\s*<\/div>[^]*/, '');
  const [, next] = /<a rel="next" href="([^"]+)"/.exec(text) ?? [];
  return {
    counted: numberOf(counted),
    rows: [...upcoming.matchAll(/<li\s+class="e(?! run)[ "]/g)].length,
    next: next === undefined ? null : posix.join(path, next),
    isPart: /data-more|id="reach"/.test(text),
    links: [
      ...text.matchAll(/<a\s+href="([^"?#]+)"[^>]*>(?:(?!<\/a)[^])*?<span class="count">([^<]+)</g),
    ].map(([, href = '', count = '']) => ({
      path: posix.join(path, href),
      count: numberOf(count),
    })),
  };
}

function numberOf(text: string): number {
  return Number(text.replace(/\D/g, ''));
}

test.each(Object.entries(catalogues))(
  'every count in the %s catalogue leads to exactly as many events',
  async (_, build) => {
    const site = await build();
    const pages = [...readTree(site).keys()].filter(
      (path) => path.endsWith('index.html') && !/^(api|month)/.test(path),
    );
    const links = new Map(
      pages.flatMap((page) => {
        const { links: counted } = readPage(site, posix.dirname(page));
        return counted.map(
          ({ path, count }) => [`${path} ${count}`, { path, count, page }] as const,
        );
      }),
    );
    const wrong = [...links.values()].flatMap(({ path, count, page }) => {
      const first = readPage(site, path);
      let rows = first.rows;
      for (let { next } = first; next !== null; { next } = readPage(site, next))
        rows += readPage(site, next).rows;
      const isSubject = /^genre\/[^/]+\/[^/]+\/$/.test(path);
      const isRight =
        (isSubject || path === './' || first.counted === count) && (rows === count || first.isPart);
      return isRight ? [] : [{ page, path, count, counted: first.counted, rows }];
    });
    expect(links.size).toBeGreaterThan(3);
    expect(wrong.slice(0, 5)).toEqual([]);
  },
);
