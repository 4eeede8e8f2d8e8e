import { languageOf } from './language.ts';
import type { Event } from './model.ts';
import words from './status-words.json' with { type: 'json' };

/**
 * Returns a title as calendars show it. Several programs ignore STATUS, so a cancelled, postponed
 * or tentative event begins with that word: `Abgesagt: Tosca`.
 */
export function titleWithStatus(title: string, status: Event['status'], lang: string): string {
  if (status === 'confirmed') return title;
  return `${words[languageOf(lang)][status]}: ${title}`;
}
