import { dateAfter } from '../dates.ts';
import { groupBy } from '../../catalogue/group.ts';
import { pageHit, pageHits, subjectHit, type Hit } from './hits.ts';
import type { SearchFile, SubjectRow } from './index-file.ts';
import { ignoredWords, QueryReader, type Reading, type Word } from './reading.ts';
import { fold, isNumber } from './text.ts';
import { orderOf, type Found } from './found.ts';
import { Searcher, type Query } from './searcher.ts';
import { choiceOf } from './ranges.ts';
import type { Time } from './times.ts';

export interface Answer {
  /** The best first. */
  readonly hits: readonly Hit[];
  /** The words without which something was found, as they were typed. */
  readonly struck: readonly string[];
  /** The number of events or, where there is none, of subjects that were found. */
  readonly total: number;
  /** The number of subjects beyond the limit. */
  readonly more: number;
  /** Where nothing was found: the subjects with the most similar names, and what is next. */
  readonly nearest: readonly Hit[];
  readonly next: readonly Hit[];
  readonly isPartial: boolean;
}

/** The number of subjects that an answer without hits names instead. */
const suggested = 3;

/**
 * Who searches: the language of the page, the reader's variety of it, other languages, the time
 * zone, and whether a local catalogue shows times as at their places.
 */
export interface Reader {
  readonly language: string;
  readonly tag: string;
  readonly languages: readonly string[];
  readonly zone: string;
  readonly isAtPlace: boolean;
}

/** What the reader asks, and when. */
export interface Question extends Pick<Query, 'now'> {
  readonly text: string;
  /** The number of subjects to show. */
  readonly limit: number;
}

/** What to search for, and the words that were left out for it. */
interface Attempt extends Pick<Query, 'isNext' | 'isOpen'> {
  readonly words: readonly Word[];
  readonly time: Time | null;
  readonly struck: readonly string[];
}

interface Result extends Attempt {
  readonly matches: readonly Found[];
}

/** Understands queries, and answers them from an index. */
export class Answerer {
  readonly #file: SearchFile;
  readonly #searcher: Searcher;
  readonly #reader: QueryReader;
  /** Every subject that has something to come, the soonest first. */
  #upcoming: readonly Found[] | null = null;

  constructor(file: SearchFile, reader: Reader) {
    const { language, languages, tag } = reader;
    this.#file = file;
    const spoken = [
      ...new Set([language, 'en', ...languages.map((spokenTag) => spokenTag.split('-')[0] ?? '')]),
    ];
    this.#searcher = new Searcher(file, reader, ignoredWords(spoken));
    this.#reader = new QueryReader(spoken, tag, this.#searcher);
  }

  answer(asked: Question): Answer {
    const readings = this.#reader.read(asked.text, this.#searcher.dayOf(asked.now));
    const results = readings.map((reading) =>
      this.#search({ ...reading, struck: [], isOpen: true }, asked),
    );
    const isWhole = ({ words, matches }: Result) =>
      words.length === 0 || matches[0]?.isWhole === true;
    const best =
      results.find(isWhole) ??
      results.find(
        (result) => result.matches.length > 0 || this.#pagesOf(result, asked).length > 0,
      );
    if (best !== undefined) return this.#answerOf(best, asked);
    const attempts = readings.flatMap((reading) => this.#attemptsWithout(reading));
    // The fewest words are left out, whichever of them say a time: of two times, rather a day than
    // its year.
    const ordered = attempts.toSorted(
      (a, b) => a.struck.length - b.struck.length || Number(isDay(a)) - Number(isDay(b)),
    );
    for (const attempt of ordered) {
      const result = this.#search(attempt, asked);
      if (result.matches.length > 0) return this.#answerOf(result, asked);
    }
    const typed = readings.at(-1)?.words ?? [];
    return this.#nothing(typed.map(({ raw }) => raw).join(' '), asked.now);
  }

  /** Nothing was found, so there are names that are written alike, and what is next. */
  #nothing(text: string, now: number): Answer {
    const range = { from: this.#searcher.dayOf(now), until: '9999-12-31' };
    this.#upcoming ??= this.#searcher.search({ words: [], range, isNext: true, isOpen: true, now });
    const pairs = new Set(pairsIn(text));
    const likeness = new Map(this.#upcoming.map(({ row }) => [row, likenessOf(row[1], pairs)]));
    const pointsOf = ({ row }: Found) => likeness.get(row) ?? 0;
    const alike = this.#upcoming.filter((subject) => pointsOf(subject) > 0);
    const nearest = alike.toSorted((a, b) => pointsOf(b) - pointsOf(a));
    const hitsOf = (subjects: readonly Found[]): Hit[] =>
      subjects.slice(0, suggested).map((subject) => subjectHit(this.#file, subject, Infinity));
    return {
      hits: [],
      struck: [],
      total: 0,
      more: 0,
      nearest: hitsOf(nearest),
      next: hitsOf(this.#upcoming),
      isPartial: this.#file.isPartial,
    };
  }

  #search(attempt: Attempt, { now }: Question): Result {
    const { words, time, isNext, isOpen } = attempt;
    const range = time?.range ?? null;
    const find = (some: readonly Word[]): Found[] =>
      some.length === 0 && range === null
        ? []
        : this.#searcher.search({
            words: some.map(({ word }) => word),
            range,
            isNext,
            isOpen,
            now,
          });
    const matches = find(words);
    // "Sports and music" has no event that is both, but each of them.
    const parts = [...groupBy(words, ({ part }) => part).values()];
    if (matches.length > 0 || parts.length < 2) return { ...attempt, matches };
    const rows = new Map<SubjectRow, Found>();
    const empty: string[] = [];
    for (const part of parts) {
      const partHits = find(part);
      for (const match of partHits) rows.set(match.row, match);
      if (partHits.length === 0) empty.push(...part.map(({ raw }) => raw));
    }
    if (rows.size === 0) return { ...attempt, matches };
    return {
      ...attempt,
      struck: [...attempt.struck, ...empty],
      matches: [...rows.values()].sort(orderOf(isNext)),
    };
  }

  /**
   * Leaves out words that are nowhere, then the time, then words beside names. The others have
   * to name something, so that a name is never left out for words that say little alone: "gta 6"
   * finds nothing. What has nothing at the time that is asked is ordered by time.
   */
  #attemptsWithout({ time, words, timeWords, isNext }: Reading): Attempt[] {
    const { names } = this.#searcher;
    const dead = new Set(
      words.flatMap(({ word, raw }) => (this.#searcher.vocabulary.finds(word) ? [] : [raw])),
    );
    const live = words.filter(({ raw }) => !dead.has(raw));
    const { named, subjects } = names.among(live.map(({ word }) => word));
    // What stands before the name of a group says which of them: a bank holiday is no holiday.
    const isOfGroup =
      subjects.length === 0 &&
      !live.some(({ word }) => names.isPlace([word]) || names.isGroup(word));
    const isKind = ({ raw }: Word) => isOfGroup && raw !== words.at(-1)?.raw;
    if (words.some((word) => dead.has(word.raw) && isKind(word))) return [];
    // A weekday may be a part of a name, such as Black Friday. A month or a year is left out
    // sooner.
    const isLong = dead.size === 0 && time !== null && time.range.from !== time.range.until;
    if (named.size === 0 && !isLong) return [];
    const struck = [...dead, ...timeWords];
    const timeless = { words: live, time: null, struck, isNext: true, isOpen: true };
    const beside = live.flatMap((typed): Attempt | [] => {
      const rest = live.filter((other) => other !== typed);
      if (named.has(typed.word) || isKind(typed)) return [];
      if (!names.areNames(rest.map(({ word }) => word))) return [];
      return {
        ...timeless,
        words: rest,
        struck: [...struck, typed.raw],
        isOpen: typed !== live.at(-1),
      };
    });
    // A version that is over is left out with all that is said of it: "python 3.10 end of life".
    const namedWords = live.filter(({ word }) => named.has(word));
    const rest = live.filter(({ word }) => !named.has(word));
    const isVersion =
      rest.some(({ word }) => isNumber(word)) && names.isName(namedWords.map(({ word }) => word));
    const unversioned = {
      ...timeless,
      words: namedWords,
      struck: [...struck, ...rest.map(({ raw }) => raw)],
    };
    const first = { words: live, time, struck: [...dead], isNext, isOpen: true };
    const alone = subjects.flatMap((subject): Attempt | [] => {
      const around = live.filter(({ word }) => !subject.includes(word));
      // The US Open of tennis is not that of golf.
      if (around.some(({ word }) => names.isGroup(word))) return [];
      return {
        ...timeless,
        words: live.filter(({ word }) => subject.includes(word)),
        struck: [...struck, ...around.map(({ raw }) => raw)],
      };
    });
    const variants = [...beside, ...(isVersion ? [unversioned] : []), ...alone];
    if (time === null) return [first, timeless, ...variants];
    const atTime = variants.map((variant): Attempt => {
      const besideTime = variant.struck.filter((raw) => !timeWords.includes(raw));
      return { ...variant, time, isNext, struck: besideTime };
    });
    return [first, timeless, ...atTime, ...variants];
  }

  #answerOf(result: Result, asked: Question): Answer {
    const { matches, struck } = result;
    const hits = matches
      .slice(0, asked.limit)
      .map((subject) => subjectHit(this.#file, subject, matches.length));
    const whole = matches.findLastIndex(({ isAlias }, n) => !isAlias && n < hits.length) + 1;
    return {
      hits: [...hits.slice(0, whole), ...this.#pagesOf(result, asked), ...hits.slice(whole)],
      struck: [...new Set(struck)],
      total: matches.reduce((total, { events }) => total + Math.max(1, events.length), 0),
      more: matches.length - hits.length,
      nearest: [],
      next: [],
      isPartial: this.#file.isPartial,
    };
  }

  /** Returns the pages whose name is searched: at a time, only those with something then. */
  #pagesOf({ words, time, matches, isNext }: Result, { now }: Question): Hit[] {
    const range = time?.range ?? null;
    const today = this.#searcher.dayOf(now);
    const on = range && choiceOf(range, today);
    const firstDay = dateAfter(today, -this.#file.pastDays);
    // The index has nothing of the past, but its days have pages.
    const isPast = range !== null && range.until < today && range.from >= firstDay;
    if (range !== null && (on === null || (matches.length === 0 && !isPast))) return [];
    if (words.length === 0)
      return on === null ? [] : [pageHit({ name: '', category: null, path: `?on=${on}`, on })];
    const typed = words.map(({ word }) => word);
    const namesOfGenre = (number: number): readonly string[] => {
      const { names = [], parts = [] } = this.#searcher.genreNames[number] ?? {};
      return (on === null && !isNext) || isPast ? [...names, ...parts] : names;
    };
    const isMeant = (name: string) => this.#searcher.names.isNamed(name, typed);
    const then = isPast ? null : matches;
    return pageHits(this.#file, { namesOf: namesOfGenre, isMeant, on, matches: then });
  }
}

function isDay({ time }: Attempt): boolean {
  return time !== null && time.range.from === time.range.until;
}

/** Returns the neighbouring letters of a text, such as `mo`, `oo` and `on`. */
function pairsIn(text: string): string[] {
  const letters = fold(text);
  return Array.from({ length: letters.length }, (_, n) => letters.slice(n, n + 2));
}

/** Returns the share of neighbouring letters that a name has in common with a text. */
function likenessOf(name: string, pairs: ReadonlySet<string>): number {
  const ofName = pairsIn(name);
  const common = ofName.filter((pair) => pairs.has(pair));
  return common.length / (ofName.length + pairs.size);
}
