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
    if (best < weights.initials && typed.length >= 2 && typed.length <= 5) {
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

/** Returns the score of the best title in a row of the index that has what the subject itself does not have. */
export function bestTitle(row: readonly number[], titles: readonly Score[], mask: number, all: number): Score {
  let best = none;
  for (let n = 0; n < row.length; n += 2) {
    const title = titles[row[n] ?? 0] ?? none;
    if ((mask | title.mask) === all && title.score > best.score) best = title;
  }
  return best;
}
