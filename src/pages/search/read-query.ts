import { searchWords } from '../words/search-words.ts';
import type { Language } from '../../catalogue/model.ts';
import { fold, isUnspaced } from './fold.ts';
import type { FoundName, NameFinder } from './names.ts';
import { readDates, type DatedQuery } from './read-dates.ts';

/** A way to understand a query. */
export interface Reading {
  /** The dates in it, with their words. Null if it has none. */
  readonly dated: Pick<DatedQuery, 'range' | 'words'> | null;
  readonly names: readonly FoundName[];
  /** The other words, folded, without those that mean nothing. */
  readonly words: readonly string[];
}

/** What a query is read with. */
export interface ReaderContext {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  readonly language: Language;
  /** The reader's variety of the language. */
  readonly tag: string;
}

/**
 * Returns the ways to understand a query, the likeliest first. What looks like a date may be a name, and readers may
 * write in another language than that of the page.
 */
export function readQuery(text: string, finder: NameFinder, { today, language, tag }: ReaderContext): Reading[] {
  const own = [...new Set([language, 'en'] as const)];
  const all = Object.keys(searchWords) as Language[];
  const readings = [own, [...new Set([...own, ...all])]].flatMap((languages) => {
    const dated = readDates(text, { today, tag, languages });
    return [...dated, null].map((one) => readRest(one, one?.rest ?? fold(text), finder, languages));
  });
  const different = new Map(readings.map((reading) => [JSON.stringify(reading), reading]));
  return [...different.values()];
}

function readRest(dated: Reading['dated'], rest: string, finder: NameFinder, languages: readonly Language[]): Reading {
  const typed = rest.split(' ').flatMap((word) => withoutParticles(word));
  const { names, rest: left } = finder.find(typed);
  const words = withoutStopWords(left, languages);
  const isNothing = dated === null && names.length === 0 && words.length === 0;
  return { dated: dated && { range: dated.range, words: dated.words }, names, words: isNothing ? typed : words };
}

/** Leaves out the words that mean nothing in some languages. */
export function withoutStopWords(words: readonly string[], languages: readonly Language[]): string[] {
  const stop = languages.map(stopWords);
  return words.filter((word) => !stop.some((ofLanguage) => ofLanguage.has(word)));
}

const known = new Map<Language, ReadonlySet<string>>();

function stopWords(language: Language): ReadonlySet<string> {
  const words = known.get(language) ?? new Set(searchWords[language].stop.split(' ').map(fold));
  known.set(language, words);
  return words;
}

/** Cuts particles off a text in letters that stand without spaces, which are parts of no word there. */
function withoutParticles(word: string): string[] {
  if (!isUnspaced(word)) return word === '' ? [] : [word];
  const particles = [...stopWords('ja')].toSorted((a, b) => b.length - a.length);
  const before = particles.find((one) => word.length > one.length && word.startsWith(one)) ?? '';
  const rest = word.slice(before.length);
  const after = particles.find((one) => rest.length > one.length && rest.endsWith(one)) ?? '';
  return [rest.slice(0, rest.length - after.length)];
}
