import { Answerer, type Answer, type Asked, type Reader } from '../search/answer.ts';
import type { SearchFile } from '../search/index-file.ts';

/*
 * Searches in a thread of its own, so that typing never waits for it.
 */

/** What the page asks. */
export interface Question extends Omit<Asked, 'dayOf'> {
  /** The address of the index. */
  readonly index: string;
  readonly reader: Reader;
}

/** The answer to the question with this text. Null if the index could not be loaded. */
export interface Reply {
  readonly text: string;
  readonly answer: Answer | null;
  readonly isPartial: boolean;
}

/** What a worker has; its types would replace those of a window in all scripts. */
interface Scope {
  readonly addEventListener: (type: 'message', listen: (event: MessageEvent<Question>) => void) => void;
  readonly postMessage: (reply: Reply) => void;
}

const scope = globalThis as unknown as Scope;
let loading: Promise<{ readonly answerer: Answerer; readonly isPartial: boolean }> | null = null;
let latest = 0;

async function load({ index, reader }: Question): Promise<{ answerer: Answerer; isPartial: boolean }> {
  const response = await fetch(index);
  if (!response.ok) throw new Error(`${response.status}`);
  const file = (await response.json()) as SearchFile;
  return { answerer: new Answerer(file, reader), isPartial: file.isPartial };
}

/** Replies to the newest of several questions only. */
async function reply(question: Question, number: number): Promise<void> {
  const { text, reader } = question;
  try {
    loading ??= load(question);
    const { answerer, isPartial } = await loading;
    if (number !== latest) return;
    const format = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone: reader.zone });
    const answer = answerer.answer({ ...question, dayOf: (instant) => format.format(instant) });
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    scope.postMessage({ text, answer, isPartial });
  } catch {
    loading = null;
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    if (number === latest) scope.postMessage({ text, answer: null, isPartial: false });
  }
}

scope.addEventListener('message', ({ data }) => void reply(data, ++latest));
