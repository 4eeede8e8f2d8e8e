import { stateOfRecord } from '../api/current.ts';
import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { idPattern } from '../api/paths.ts';
import { createClient as createCore, type Client, type ListQuestion } from './client.ts';
import { ClientError, connect, statusError, withRetries, type ClientOptions } from './request.ts';

export type { AnnouncementRecord, EventRecord } from '../api/documents.ts';

/** An event or announcement with its state. */
export type Entry =
  | (EventRecord & { readonly state: 'upcoming' | 'under_way' | 'cancelled' | 'over' })
  | (AnnouncementRecord & { readonly state: 'announced' });

/** The typed client, with every event of a catalogue. */
export interface BulkClient extends Client {
  /**
   * Reads every event in every state, grouped by genre in the order of ids, without the cap of lists. `state` is that of
   * now. It yields events while it reads the answer, so a large catalogue takes little memory. `timeout` ends when the
   * answer begins, because it may be of any size; a `signal` also ends what follows. Rejects with a {@link ClientError}.
   */
  readonly everything: (question?: ListQuestion) => AsyncIterableIterator<Entry>;
}

/** Creates a client like that of `almanac/client` that can also read every event, if the site has bulk files. */
export function createClient(options: ClientOptions): BulkClient {
  const { now = Date.now } = options;
  const connection = connect(options);

  async function* everything({ genre, category, signal }: ListQuestion = {}): AsyncGenerator<Entry> {
    // Categories have no such file.
    const url = `${connection.base}/${formatPath(formats.ndjson, { genre: genre ?? null })}`;
    if (![genre, category].every((id) => !id || idPattern.test(id)))
      throw new ClientError('not-found', url, 'no category or genre has such an id');
    const { body } = await withRetries(connection, url, signal, async (attempt) => {
      const response = await connection.fetch(url, { signal: attempt });
      if (response.ok) return response;
      throw statusError(url, response.status, null);
    });
    try {
      for await (const line of linesOf(body)) {
        const entry = parseEntry(line, url);
        if (category && entry.category !== category) continue;
        yield entry.state === 'announced' ? entry : { ...entry, state: stateOfRecord(entry, now()) };
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof ClientError ? error : new ClientError('network', url, 'the answer broke off', 200, error);
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

/** Reads a body line by line. Throws if it ends within a line. If the caller stops early, the rest is not transferred. */
async function* linesOf(body: Response['body']): AsyncGenerator<string> {
  if (body === null) return;
  // Not every browser can iterate over a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
  if (rest !== '') throw new Error('it ends within a line');
}
