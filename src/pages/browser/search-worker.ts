import { Answerer, type Answer, type Question, type Reader } from '../search/answer.ts';
import type { SearchFile } from '../search/index-file.ts';

/*
 * Searches in a thread of its own, so that typing never waits for it.
 */

/** What the page asks. */
export interface Request extends Question {
  /** The address of the index. */
  readonly index: string;
  readonly reader: Reader;
}

/** The answer to the question with this text. Null if the index could not be loaded. */
export interface Reply {
  readonly text: string;
  readonly answer: Answer | null;
}

/** What a worker has; its types would replace those of a window in all scripts. */
interface Scope {
  readonly addEventListener: (
    type: 'message',
    listen: (event: MessageEvent<Request>) => void,
  ) => void;
  readonly postMessage: (reply: Reply) => void;
}

const scope = globalThis as unknown as Scope;
let loading: Promise<Answerer> | null = null;
let latest = 0;

async function load({ index, reader }: Request): Promise<Answerer> {
  const response = await fetch(index);
  if (!response.ok) throw new Error(`${response.status}`);
  return new Answerer((await response.json()) as SearchFile, reader);
}

/** Replies to the newest of several questions only. */
async function reply(request: Request, number: number): Promise<void> {
  let answer: Answer | null = null;
  try {
    loading ??= load(request);
    const answerer = await loading;
    if (number !== latest) return;
    answer = answerer.answer(request);
  } catch {
    loading = null;
  }
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  if (number === latest) scope.postMessage({ text: request.text, answer });
}

scope.addEventListener('message', ({ data }) => void reply(data, ++latest));
