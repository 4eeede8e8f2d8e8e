import type { SubjectRow } from './index-file.ts';

/** The weights of matches, by kind and position. */
export const weights = {
  exact: 10,
  initials: 6,
  prefix: 6,
  joined: 6,
  near: 2,
  name: 3,
  title: 1.5,
  genre: 1,
  whole: 40,
  start: 12,
  /** In a genre that the query names. */
  within: 60,
};

/** The words of a text, by their numbers in the vocabulary. */
export interface TextWords {
  readonly words: readonly number[];
  readonly joined: readonly number[];
  readonly initials: readonly string[];
}

/** A typed word, and how well each word of the vocabulary matches it. */
export interface Token {
  readonly typed: string;
  readonly scores: Float32Array;
  readonly hasMatch: boolean;
}

/** Which typed words a text has (one bit for each), and how well. */
export interface Score {
  readonly mask: number;
  readonly score: number;
}

/** The score of a text that has none of the words. */
export const none: Score = { mask: 0, score: 0 };

/** Returns which of the typed words a text has, and how well. */
export function scoreOf({ words, joined, initials }: TextWords, tokens: readonly Token[]): Score {
  let [mask, score] = [0, 0];
  for (const [bit, { typed, scores, hasMatch }] of tokens.entries()) {
    let best = 0;
    for (const word of words) best = Math.max(best, scores[word] ?? 0);
    for (const word of joined) if ((scores[word] ?? 0) > best) best = Math.min(scores[word] ?? 0, weights.joined);
    // Two letters alone, such as the pi of "pi day", are the initials of too much.
    if (best < weights.initials && typed.length <= 5 && (typed.length >= 3 || /\d/.test(typed))) {
      const isInitials = initials.some(
        (one) => one === typed || (!hasMatch && typed.length > 2 && one.includes(typed)),
      );
      if (isInitials) best = weights.initials;
    }
    if (best === 0) continue;
    mask |= 1 << bit;
    score += best;
  }
  return mask === 0 ? none : { mask, score };
}

/** The scores of the titles of an index, and those of its places from 1 on. */
export interface EventScores {
  readonly titles: readonly Score[];
  readonly places: readonly Score[];
}

/** Returns which words an event has by its title and its place, and how well. */
export function scoreOfEvent({ titles, places }: EventScores, title: number, place: number): Score {
  const [ofTitle, ofPlace] = [titles[title] ?? none, place === 0 ? none : (places[place - 1] ?? none)];
  if (ofPlace === none) return ofTitle;
  return { mask: ofTitle.mask | ofPlace.mask, score: ofTitle.score + ofPlace.score };
}

/** Returns the score of the best event of a subject that has what the subject itself does not have. */
export function bestEvent(
  [, , , , events, announced = [], places = 0]: SubjectRow,
  scores: EventScores,
  mask: number,
  all: number,
): Score {
  let best = none;
  const consider = (title: number, place: number): void => {
    const score = scoreOfEvent(scores, title, place);
    if ((mask | score.mask) === all && score.score > best.score) best = score;
  };
  for (let n = 0; n < events.length; n += 2) {
    consider(events[n] ?? 0, typeof places === 'number' ? places : (places[n / 2] ?? 0));
  }
  for (let n = 0; n < announced.length; n += 2) consider(Number(announced[n]), 0);
  return best;
}
