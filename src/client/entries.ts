import { stateOfRecord } from '../api/current.ts';
import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import { ClientError, statusError, withRetries, type Connection, type Request } from './request.ts';

/** An event or announcement with its state. */
export type Entry =
  | (EventRecord & { readonly state: 'upcoming' | 'under_way' | 'cancelled' | 'over' })
  | (AnnouncementRecord & { readonly state: 'announced' });

/**
 * Reads a file with an event on each line, and yields events while it reads. Gives each the state
 * of now.
 */
export async function* readEntries(
  connection: Connection,
  request: Request,
  now: () => number,
): AsyncGenerator<Entry> {
  const { url, signal } = request;
  const { body } = await withRetries(connection, request, async (attempt) => {
    const response = await connection.fetch(url, { signal: attempt });
    if (response.ok) return response;
    throw statusError(url, response.status, null);
  });
  try {
    for await (const line of linesOf(body)) {
      const entry = parseEntry(line, url);
      yield entry.state === 'announced'
        ? entry
        : {
            ...entry,
            state: stateOfRecord(entry, now()),
          };
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof ClientError
      ? error
      : new ClientError('network', url, 'the answer broke off', { status: 200, cause: error });
  }
}

function parseEntry(line: string, url: string): Entry {
  try {
    const entry = JSON.parse(line) as Entry;
    const isDated = (event: Partial<EventRecord>) =>
      !Number.isNaN(Date.parse(event.upcoming_until ?? ''));
    if (typeof entry.id === 'string' && (entry.state === 'announced' || isDated(entry)))
      return entry;
  } catch {
    // Reported below, like JSON that is not an event.
  }
  throw new ClientError('wrong-answer', url, 'a line of the answer is not an event', {
    status: 200,
  });
}

/**
 * Reads a body line by line. Throws if it ends within a line. If the caller stops early, the rest
 * is not transferred.
 */
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
