import type { EventRecord } from '../api/documents.ts';
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
import { statusError, withRetries } from './request.ts';

/** The typed client, with every event of a catalogue. */
export interface BulkClient extends Client {
  /**
   * Reads every event that is not over, grouped by genre in the order of ids, without the cap of lists. It yields
   * events while it reads the answer, so a large catalogue takes little memory. Rejects with a {@link ClientError}.
   */
  readonly everything: (question?: ListQuestion) => AsyncIterableIterator<EventRecord>;
}

/** Creates a client like that of `almanac/client` that can also read every event, if the site has bulk files. */
export function createClient(options: ClientOptions): BulkClient {
  const { now = Date.now } = options;
  const requestOptions = requestOptionsOf(options);

  async function* everything({ genre, category, signal }: ListQuestion = {}): AsyncGenerator<EventRecord> {
    const filters = { genre: genre ?? null, category: category ?? null };
    const url = `${requestOptions.base}/${formatPath(formats.ndjson, filters)}`;
    if (![genre, category].every((id) => !id || idPattern.test(id)))
      throw new ClientError('not-found', url, 'no category or genre has such an id');
    // The timeout ends when the answer begins, which may be of any size.
    const response = await withRetries(requestOptions, url, signal, async (attempt) => {
      const answer = await requestOptions.fetch(url, { signal: attempt });
      if (answer.ok) return answer;
      answer.body?.cancel().catch(() => {});
      throw statusError(url, answer.status, null);
    });
    for await (const line of linesOf(response, url, signal)) {
      const event = parseEvent(line, url);
      // The file of a genre is the one for any category.
      const isWanted = !category || event.category === category;
      if (isWanted && Date.parse(event.over_at ?? event.upcoming_until) > now()) yield event;
    }
  }

  return { ...createCore(options), everything };
}

function parseEvent(line: string, url: string): EventRecord {
  try {
    const event = JSON.parse(line) as EventRecord;
    if (typeof event.id === 'string' && !Number.isNaN(Date.parse(event.upcoming_until))) return event;
  } catch {
    // Reported below, like JSON that is not an event.
  }
  throw new ClientError('wrong-answer', url, 'a line of the answer is not an event', 200);
}

/** Reads a body line by line. A body without a stream is read as a whole. */
async function* linesOf(response: Response, url: string, signal: Signal | undefined): AsyncGenerator<string> {
  let rest = '';
  try {
    if (!response.body) rest = await response.text();
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true as const, value: undefined };
        rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        yield* lines;
        if (done) break;
      }
    } finally {
      // The caller may stop early. The rest is then not transferred.
      reader?.cancel().catch(() => {});
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new ClientError('network', url, 'the answer broke off', 200, error);
  }
  if (rest !== '') throw new ClientError('network', url, 'the answer broke off within a line', 200);
}
