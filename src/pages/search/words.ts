import type { Language } from '../../catalogue/model.ts';
import de from '../words/search/de.json' with { type: 'json' };
import en from '../words/search/en.json' with { type: 'json' };
import es from '../words/search/es.json' with { type: 'json' };
import fr from '../words/search/fr.json' with { type: 'json' };
import ja from '../words/search/ja.json' with { type: 'json' };

/** What days that are near are called. */
export type TimeName =
  | 'today'
  | 'tomorrow'
  | 'dayAfterTomorrow'
  | 'yesterday'
  | 'week'
  | 'weekend'
  | 'nextWeek'
  | 'nextWeekend'
  | 'month'
  | 'nextMonth'
  | 'year'
  | 'nextYear';

/** The words of a language that search understands. */
export interface SearchWords {
  /** Words that mean nothing in a search, with spaces between them. */
  readonly ignored: string;
  /** The words between two things that are both meant. */
  readonly and: string;
  /** The word for next, in its forms. */
  readonly next: string;
  /** Ways to say when, by what they mean. */
  readonly times: Readonly<Record<TimeName, readonly string[]>>;
  /** Words after a day that say when on it. */
  readonly partsOfDay: string;
  /** More names of countries, such as adjectives, by the code of the country. */
  readonly countries: Readonly<Record<string, string>>;
  /** What people also call genres and kinds of events: words of English names, by a word. */
  readonly synonyms: Readonly<Record<string, string>>;
}

/** The words of each language. A site understands all of them. */
export const searchWords: Readonly<Record<string, SearchWords>> = {
  en,
  de,
  es,
  fr,
  ja,
} satisfies Record<Language, SearchWords>;
