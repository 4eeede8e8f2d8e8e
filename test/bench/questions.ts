import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { EventsDocument } from '../../src/api/documents.ts';
import { documentPath, operationPath, root } from '../../src/api/paths.ts';
import type { Server } from './servers.ts';

/** What servers are asked, and the document that all have to answer. */
export interface Question {
  readonly path: string;
  /** Whether it asks for fewer events than are published. */
  readonly isCut: boolean;
  readonly document: EventsDocument;
}

/** All that is published of a genre, and its next ten. */
export function questionsTo(site: string): readonly Question[] {
  const published = steadiest(site);
  const path = `${operationPath('events')}?genre=${published.filters.genre}`;
  const cut = { ...published, limit: 10, events: published.events.slice(0, 10) };
  return [
    { path, isCut: false, document: published },
    { path: `${path}&limit=10`, isCut: true, document: cut },
  ];
}

/** Whether a server answers a question. */
export function answers(server: Server, question: Question): boolean {
  return server.knowsLimit || !question.isCut;
}

/** Throws where a server answers anything but the document, which is compared as parsed JSON. */
export async function checkAnswers(servers: readonly Server[], questions: readonly Question[]): Promise<void> {
  for (const server of servers) {
    for (const question of questions.filter((one) => answers(server, one))) {
      const { status, text } = await server.ask(question.path, 'GET', {});
      if (status === 200 && isDeepStrictEqual(JSON.parse(text), question.document)) continue;
      throw new Error(`${server.name}: ${question.path} is answered ${status}, not with what is published of it`);
    }
  }
}

/** Of the longest lists the one whose first event passes last: it is the same for as long as servers are loaded. */
function steadiest(site: string): EventsDocument {
  const [best] = readdirSync(join(site, root, 'genre'))
    .map((genre) => readFileSync(join(site, documentPath({ operation: 'events', genre })), 'utf8'))
    .map((text) => JSON.parse(text) as EventsDocument)
    .map((document) => ({ document, count: document.events.length, passes: firstPassing(document) }))
    .toSorted((a, b) => b.count - a.count || (a.passes > b.passes ? -1 : 1));
  if (best === undefined) throw new Error('the catalogue has no genre');
  return best.document;
}

/** When the first of the events listed stops being upcoming. */
function firstPassing({ events }: EventsDocument): string {
  return events.reduce((first, { upcoming_until: until }) => (until < first ? until : first), '9');
}
