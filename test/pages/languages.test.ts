import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { tables } from '../../src/pages/words/tables.ts';
import type { Language } from '../../src/catalogue/model.ts';
import { violations } from '../setup/axe.ts';
import { chromiumPath, openPage, screenshot } from '../setup/browser.ts';
import { now } from './catalogue.ts';
import { followerOf, noPage, pages, serveVaried, shorten, visit } from './every-page.ts';

/** What is the same in every language: names, and what the world calls in English. */
const international =
  /^(Almanac & <Sons>|\w+ \w+ \(\w+\) – Almanac & <Sons>|API|JSON|Google|Google Calendar|Outlook|Apple|iPhone, iPad, Mac|https?:.*|Source: .*|\.ics|(April|August|September|November) \d+|Nov|Asia|Esc|.*\d (UTC|Tokyo|h)|API reference – .*)$/;

/** The words of a language do not change the colours of a page. */
const rules = { 'color-contrast': { enabled: false } };
/** Pages of which CI keeps a picture in each language. */
const pictured = new Set(['home', 'subject']);

describe.skipIf(chromiumPath === null)('languages', async () => {
  const english = new Map<string, readonly string[]>();

  /** Serves a site in a language, and looks at every page of it. */
  async function lookAtPages(
    lang: string,
    look: (page: Page, name: string) => Promise<void>,
  ): Promise<void> {
    const site = await serveVaried(lang);
    const reader = { now, timers: true, locale: lang, complaints: noPage, ...followerOf(site) };
    const page = await openPage(`${site.url}site.webmanifest`, reader);
    for (const name of Object.keys(pages)) {
      await visit(page, site, name);
      await shorten(page);
      if (pictured.has(name)) await screenshot(page, `${name}-${lang}`);
      await look(page, name);
    }
  }

  test.each(['de', 'es', 'fr', 'ja'] as const)('every page is in %s', async (lang) => {
    if (english.size === 0)
      await lookAtPages('en', async (page, name) => void english.set(name, await textsOf(page)));
    await lookAtPages(lang, async (page, name) => {
      expect(await untranslated(page, name, lang), name).toEqual([]);
    });
  });

  test('every page can be read from right to left, and axe reports no problem', async () => {
    await lookAtPages('ar', async (page, name) => {
      expect(
        await page.evaluate(() => [document.dir, document.documentElement.scrollWidth]),
      ).toEqual(['rtl', 1200]);
      expect(await violations(page, { rules }), name).toEqual([]);
    });
  });

  async function untranslated(page: Page, name: string, lang: Language): Promise<string[]> {
    const words: readonly unknown[] = Object.values(tables[lang].pages);
    const same = (await textsOf(page)).filter((text) => english.get(name)?.includes(text));
    return same.filter((text) => !international.test(text) && !words.includes(text));
  }
});

/**
 * Returns what a page says, but for the names of the catalogue, code, and what is marked as
 * English.
 */
async function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isNamed = (one: Element | null): boolean =>
      one?.closest('bdi, [dir=auto], code, [lang]:not(html), script, option, .steps, .w') != null;
    const nodes = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode())
      if (!isNamed(node.parentElement)) texts.push(node.textContent ?? '');
    for (const one of document.querySelectorAll('body *'))
      for (const name of ['aria-label', 'title', 'placeholder'])
        if (one.hasAttribute(name) && !isNamed(one)) texts.push(one.getAttribute(name) ?? '');
    return texts
      .map((text) => text.replace(/\s+/g, ' ').trim())
      .filter((text) => /\p{L}{2}/u.test(text));
  });
}
