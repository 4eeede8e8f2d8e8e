import { documentPath, indexPath, maxEvents, operationPath } from '../paths.ts';

/** The description of the interface in Markdown: the time rule, and the answers to what the specification leaves open. */
export const interfaceDescription = `A read-only, public catalogue of upcoming events, as JSON. No key is needed.

## The time rule

Every event carries \`time_known\` and \`precision\`. When \`time_known\` is false, the date is real and the clock time is not: show \`date\` alone, as it is written, never a time of day, and never shifted by the reader's zone. When it is true, \`starts_at\` is real to the unit that \`precision\` names.

## Two forms

Each question can be asked as a query (\`/${operationPath('events')}?category=…\`) or as a path (\`/${documentPath({ operation: 'events', category: '…' })}\`). The path form works on every host. The query form needs a host that runs code; a plain host ignores the query and answers unfiltered. Every list says in \`filters\` which question it answers: compare it with what you asked.

## What holds for every answer

- **Order**: events by \`starts_at\`, then by \`id\`; categories and genres by \`id\`; all by code unit.
- **Cap**: at most ${maxEvents} events in an answer. \`limit\` is the cap in force, \`total\` counts every match before it.
- **Upcoming**: an event is listed while now is before its \`upcoming_until\`. Where code runs, what has ended since the last build is dropped and \`total\` lowered by as many; a plain host leaves that to the client.
- **404** means that there is no such category, genre or document. A genre without upcoming events is an empty list.
- **Parameters**: an empty value is as omitted, an unknown parameter is ignored, a known one given twice is an error.
- **Fields** that can be null are always there. Version 1 only ever gains fields: ignore those that you do not know.
- **Under way**: an event that has begun is no longer upcoming. If its end is known, it is in \`now.json\` until its \`over_at\`.
- **Announced**: what is known to a month, quarter, half or year has no real date. It is in \`announced.json\` until it is dated.
- **Caching**: every answer has an \`ETag\`; a matching \`If-None-Match\` gets 304. \`last_sync\` in \`/${indexPath}\` tells how fresh the catalogue is.
- **Rate**: the service sets no limit of its own. Please use it reasonably.

Headers and problems are described as a host that runs code gives them. A plain host has its own headers, and may answer a wrong path with a page.`;

/** The groups of operations. */
export const tags = [
  { name: 'Categories', description: 'What genres belong to.' },
  { name: 'Genres', description: 'What events are grouped by.' },
  { name: 'Events', description: 'What is coming up.' },
  { name: 'Subjects', description: 'What events happen to.' },
  { name: 'Bulk', description: 'Every event in one file. A site can be built without these files.' },
  { name: 'Changes', description: 'What was added, moved or cancelled. A site can be built without these files.' },
  { name: 'Calendars', description: 'Upcoming events for calendar programs to subscribe to.' },
  { name: 'Service', description: 'What describes the service itself.' },
] as const;

export type Tag = (typeof tags)[number]['name'];
