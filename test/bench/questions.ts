import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { EventsDocument } from '../../src/api/documents.ts';
import { documentPath, operationPath, root } from '../../src/api/paths.ts';
import type { Server } from './servers.ts';

/** A request to the servers that support its kind, and the document that each must return. */
export interface Question {
  readonly path: string;
  /** A published file, the same list as a query, or fewer events than are published. */
  readonly kind: 'file' | 'query' | 'limit';
  readonly document: EventsDocument;
}

/** Returns the questions in the order of the table. */
export function questionsTo(site: string): readonly Question[] {
  const published = steadiestList(site);
  const { genre } = published.filters;
  const path = `${operationPath('events')}?genre=${genre}`;
  const nextTen = { ...published, limit: 10, events: published.events.slice(0, 10) };
  return [
    { path: documentPath({ operation: 'events', genre }), kind: 'file', document: published },
    { path, kind: 'query', document: published },
    { path: `${path}&limit=10`, kind: 'limit', document: nextTen },
  ];
}

/** Whether a server supports a question. */
export function answers(server: Server, question: Question): boolean {
  return server.supports.includes(question.kind);
}

/**
 * Throws if a server does not return the expected document. Documents are compared as parsed JSON.
 */
export async function checkAnswers(
  servers: readonly Server[],
  questions: readonly Question[],
): Promise<void> {
  for (const server of servers) {
    for (const question of questions.filter((one) => answers(server, one))) {
      const { status, text } = await server.ask(question.path, 'GET', {});
      if (status === 200 && isDeepStrictEqual(JSON.parse(text), question.document)) continue;
      throw new Error(
        `${server.name}: found the status ${status} or another document at ${question.path}`,
      );
    }
  }
}

/**
 * Returns the longest list. Of equal ones it takes the one whose first event expires last, so that
 * it stays stable.
 */
function steadiestList(site: string): EventsDocument {
  const [best] = readdirSync(join(site, root, 'genre'))
    .map((genre) => readFileSync(join(site, documentPath({ operation: 'events', genre })), 'utf8'))
    .map((text) => JSON.parse(text) as EventsDocument)
    .map((document) => ({
      document,
      count: document.events.length,
      expires: firstExpiry(document),
    }))
    .toSorted((a, b) => b.count - a.count || (a.expires > b.expires ? -1 : 1));
  if (best === undefined) throw new Error('the catalogue has no genre');
  return best.document;
}

function firstExpiry({ events }: EventsDocument): string {
  return events.reduce((first, { upcoming_until: until }) => (until < first ? until : first), '9');
}
