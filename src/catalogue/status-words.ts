import { languageOf } from './language.ts';
import type { Event } from './model.ts';
import words from './status-words.json' with { type: 'json' };

/**
 * Returns a title as calendars show it. Several programs ignore STATUS, so a cancelled, postponed
 * or tentative event begins with that word: `Abgesagt: Tosca`.
 */
export function titleWithStatus(title: string, status: Event['status'], lang: string): string {
  if (status === 'confirmed') return title;
  return `${wordFor(status, lang)}: ${title}`;
}

/** Returns the word for a status or for a kind of change, in the language of a site. */
export function wordFor(name: keyof typeof words.en, lang: string): string {
  return words[languageOf(lang)][name];
}

/** Outlook's word for a cancelled event. */
const furtherWords: readonly string[] = ['Canceled'];

/**
 * Returns a title without the word for a status in front, in any language of the pages. Returns null
 * if it begins with no such word, or has nothing else.
 */
export function titleWithoutStatus(
  title: string,
  status: Exclude<Event['status'], 'confirmed'>,
): string | null {
  const translations = Object.values(words).map((word) => word[status]);
  const names = status === 'cancelled' ? [...translations, ...furtherWords] : translations;
  const start = title.trimStart();
  const isPrefix = (name: string) =>
    start[name.length] === ':' && start.slice(0, name.length).toLowerCase() === name.toLowerCase();
  const prefix = names.find(isPrefix);
  if (prefix === undefined) return null;
  return start.slice(prefix.length + 1).trim() || null;
}
