import { stateOfRecord } from '../api/current.ts';
import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { idPattern } from '../api/paths.ts';
import {
  createClient as createCore,
  requestOptionsOf,
  type Client,
  type ClientOptions,
  type ListQuestion,
} from './client.ts';
import { ClientError } from './error.ts';
import type { Signal } from './platform.ts';
import { maxTimer, statusError, withRetries, type RequestOptions } from './request.ts';

export type { AnnouncementRecord, EventRecord } from '../api/documents.ts';

/** An event or announcement with its state. */
export type Entry =
  | (EventRecord & { readonly state: 'upcoming' | 'under_way' | 'cancelled' | 'over' })
  | (AnnouncementRecord & { readonly state: 'announced' });

/** The typed client, with every event of a catalogue. */
export interface BulkClient extends Client {
  /**
   * Reads every event in every state, grouped by genre in the order of ids, without the cap of lists. `state` is that of
   * now. It yields events while it reads the answer, so a large catalogue takes little memory. Rejects with a
   * {@link ClientError}.
   */
  readonly everything: (question?: ListQuestion) => AsyncIterableIterator<Entry>;
}

/** Creates a client like that of `almanac/client` that can also read every event, if the site has bulk files. */
export function createClient(options: ClientOptions): BulkClient {
  const { now = Date.now } = options;
  const requestOptions = requestOptionsOf(options);

  async function* everything({ genre, category, signal }: ListQuestion = {}): AsyncGenerator<Entry> {
    // Categories have no such file.
    const filters = { genre: genre ?? null };
    const url = `${requestOptions.base}/${formatPath(formats.ndjson, filters)}`;
    if (![genre, category].every((id) => !id || idPattern.test(id)))
      throw new ClientError('not-found', url, 'no category or genre has such an id');
    // The timeout ends when the answer begins, which may be of any size. After that, it is for each line.
    const response = await withRetries(requestOptions, url, signal, async (attempt) => {
      const answer = await requestOptions.fetch(url, { signal: attempt });
      if (answer.ok) return answer;
      answer.body?.cancel().catch(() => {});
      throw statusError(url, answer.status, null);
    });
    for await (const line of linesOf(response, url, requestOptions, signal)) {
      const entry = parseEntry(line, url);
      if (category && entry.category !== category) continue;
      yield entry.state === 'announced' ? entry : { ...entry, state: stateOfRecord(entry, now()) };
    }
  }

  return { ...createCore(options), everything };
}

function parseEntry(line: string, url: string): Entry {
  try {
    const entry = JSON.parse(line) as Entry;
    const isDated = (event: Partial<EventRecord>): boolean => !Number.isNaN(Date.parse(event.upcoming_until ?? ''));
    if (typeof entry.id === 'string' && (entry.state === 'announced' || isDated(entry))) return entry;
  } catch {
    // Reported below, like JSON that is not an event.
  }
  throw new ClientError('wrong-answer', url, 'a line of the answer is not an event', 200);
}

/** The longest line in characters. That of an event has a few thousand. */
const maxLineLength = 1024 * 1024;

/** Reads a body line by line. A line must arrive within the timeout, not counting what the caller does meanwhile. */
async function* linesOf(
  response: Response,
  url: string,
  { timeout }: RequestOptions,
  signal: Signal | undefined,
): AsyncGenerator<string> {
  const chunks = chunksOf(response, timeout);
  // The pieces of a line that has not ended. They are joined once, because joining them again takes quadratic time.
  let [pieces, length]: [string[], number] = [[], 0];
  try {
    for await (const text of chunks) {
      const [first = '', ...others] = text.split('\n');
      pieces.push(first);
      length += first.length;
      for (const next of others) {
        yield pieces.join('');
        [pieces, length] = [[next], next.length];
      }
      if (length > maxLineLength) throw new ClientError('wrong-answer', url, 'a line is longer than 1 MiB', 200);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ClientError) throw error;
    const isLate = error === late;
    const reason = isLate ? `no whole line within ${timeout} ms` : 'the answer broke off';
    throw new ClientError(isLate ? 'timeout' : 'network', url, reason, 200, error);
  }
  if (length > 0) throw new ClientError('network', url, 'the answer broke off within a line', 200);
}

/** Reads a body as text. Throws `late` if no line ends within the timeout. A body without a stream is read as a whole. */
async function* chunksOf(response: Response, timeout: number): AsyncGenerator<string> {
  if (!response.body) {
    yield await response.text();
    return;
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const giveUp = (): void => {
    isLate = true;
    reader.cancel().catch(() => {});
  };
  try {
    for (;;) {
      if (timeout <= maxTimer) timer ??= setTimeout(giveUp, timeout);
      const { done, value } = await reader.read();
      if (isLate) throw late;
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (text.includes('\n')) {
        clearTimeout(timer);
        timer = undefined;
      }
      yield text;
      if (done) return;
    }
  } finally {
    clearTimeout(timer);
    // The caller may stop early. The rest is then not transferred.
    reader.cancel().catch(() => {});
  }
}

const late = new Error('no line has ended in time');
