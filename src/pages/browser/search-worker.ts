import type { SearchFile } from '../search/index-file.ts';
import { readDates } from '../search/dates.ts';
import { Searcher, type SearchReply } from '../search/searcher.ts';
import type { Words } from '../words/words.ts';

/*
 * Searches in a thread of its own, so that typing never waits for it.
 */

/** What the page asks. The first message has the address of the index. */
export interface Question {
  readonly index: string;
  readonly text: string;
  readonly now: number;
  readonly today: string;
  readonly zone: string;
  readonly languages: readonly (readonly [lang: string, words: Words])[];
}

export interface Reply extends SearchReply {
  readonly text: string;
  /** The words that are left without dates. */
  readonly words: string;
  readonly isPartial: boolean;
  readonly hasFailed: boolean;
}

/** What a worker has; its types would replace those of a window in all scripts. */
interface Scope {
  readonly addEventListener: (type: 'message', listen: (event: MessageEvent<Question>) => void) => void;
  readonly postMessage: (reply: Reply) => void;
}

const scope = globalThis as unknown as Scope;
let loading: Promise<{ readonly searcher: Searcher; readonly isPartial: boolean }> | null = null;
let latest = 0;

async function load(index: string): Promise<{ readonly searcher: Searcher; readonly isPartial: boolean }> {
  const response = await fetch(index);
  if (!response.ok) throw new Error(`${response.status}`);
  const file = (await response.json()) as SearchFile;
  return { searcher: new Searcher(file), isPartial: file.isPartial };
}

async function answer({ index, text, now, today, zone, languages }: Question): Promise<Reply> {
  try {
    loading ??= load(index);
    const { searcher, isPartial } = await loading;
    const format = new Intl.DateTimeFormat('sv', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: zone });
    const { range, rest } = readDates(text, today, languages);
    const dayOf = (instant: number): string => format.format(instant);
    const dated = searcher.search({ words: rest, range, now, dayOf });
    // What looks like a date may be a name.
    const isName = dated.hits.length === 0 && rest !== text;
    const found = isName ? searcher.search({ words: text, range: null, now, dayOf }) : dated;
    return { ...found, text, words: isName ? text : rest, isPartial, hasFailed: false };
  } catch {
    loading = null;
    return { hits: [], total: 0, suggestions: [], text, words: text, isPartial: false, hasFailed: true };
  }
}

scope.addEventListener('message', ({ data }) => void reply(data));

/** Replies to the newest of several questions only. */
async function reply(question: Question): Promise<void> {
  const number = ++latest;
  const found = await answer(question);
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  if (number === latest) scope.postMessage(found);
}
