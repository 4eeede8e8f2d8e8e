import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '../problem/problem.ts';
import { failureReason } from './failure.ts';

/** An answer read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Where to send what; bytes as body and no stream, so that its length and its hash are known before it goes out. */
export interface Outgoing {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Headers;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** Whether a redirect is an answer, and not followed. */
  readonly redirect?: 'manual';
}

/** Milliseconds between two tries, each shortened at random so that many clients do not come back together. */
const pauses = [100, 200, 400, 800, 1600, 3200];
const longestPause = 20_000;

/** How much of an answer is read, and how many milliseconds a whole one may take. */
interface Bounds {
  readonly patience: number;
  readonly mostBytes: number;
}

/** More than a file of a site has, and no more than a machine has room for. */
const usual: Bounds = { patience: 60_000, mostBytes: 1024 ** 3 };

/**
 * Sends a request and reads its answer, again and again while the network fails or the server is overloaded (429,
 * 5xx). `prepare` makes the request anew each time, since a signature holds the time. Throws the problem
 * `unreachable` when there was no answer at all; a last 5xx is returned.
 */
export async function request(prepare: () => Promise<Outgoing>, bounds: Bounds = usual): Promise<Answer> {
  for (let tried = 0; ; tried++) {
    const outgoing = await prepare();
    const pause = pauses[tried];
    try {
      const answer = await send(outgoing, bounds);
      if (pause === undefined || !mayPass(answer.status)) return answer;
      await sleep(Math.max(shortened(pause), Math.min(wishOf(answer.headers), longestPause)));
    } catch (error) {
      // Nobody is waited for to the end of all patience more than twice.
      const isInVain = error instanceof TooMuchError || (error instanceof LateError && tried > 0);
      if (pause === undefined || isInVain) throw unreachable(outgoing.url, error);
      await sleep(shortened(pause));
    }
  }
}

async function send({ url, ...init }: Outgoing, { patience, mostBytes }: Bounds): Promise<Answer> {
  return inTime(patience, async (signal) => {
    const response = await fetch(url, { ...init, signal });
    const body = await readBody(response, mostBytes);
    if (body === null) throw new TooMuchError(mostBytes);
    return { status: response.status, headers: response.headers, body };
  });
}

/** The body; null where it is too large, of which no more is read than that takes. */
export async function readBody(response: Response, mostBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

class TooMuchError extends Error {
  constructor(bytes: number) {
    super(`it sends more than ${bytes.toLocaleString('en-US')} bytes`);
  }
}

/** What {@link inTime} throws of an answer that did not come. */
export class LateError extends Error {
  constructor(milliseconds: number) {
    const seconds = milliseconds / 1000;
    super(`no whole answer within ${seconds} second${seconds === 1 ? '' : 's'}`);
  }
}

/**
 * Awaits what `ask` gets from the network for so many milliseconds, then aborts it and throws a {@link LateError}.
 * AbortSignal.timeout would not do: its timer keeps no process alive, and where an answer is compressed wrongly the
 * `fetch` of Node forgets, abort or not, to settle the promise of its body.
 */
export async function inTime<T>(milliseconds: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new LateError(milliseconds));
      abort.abort();
    }, milliseconds);
  });
  try {
    return await Promise.race([ask(abort.signal), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether an answer of this status may be another one soon. */
export function mayPass(status: number): boolean {
  return status === 429 || status >= 500;
}

function shortened(pause: number): number {
  return pause * (0.5 + Math.random() / 2);
}

/** The pause that a server asks for, in milliseconds; 0 where it asks for none. */
export function wishOf(headers: Headers): number {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : 0;
}

function unreachable(url: string, error: unknown): ProblemError {
  return new ProblemError([{ code: 'unreachable', place: null, address: url, reason: noAnswerReason(error) }]);
}

/** Why there was no answer, in words. What `fetch` throws says only that there was none; its cause says why. */
export function noAnswerReason(error: unknown): string {
  const { cause = error } = error as Error;
  return failureReason(cause);
}
