import { documentPath, indexPath, listLimit, operationPath } from '../paths.ts';

/**
 * The description of the interface in Markdown: the time rule, and the rules that the specification
 * leaves open.
 */
export const interfaceDescription = `A read-only, public catalogue of upcoming events, as JSON.
    No key is needed.

## The time rule

Every event carries \`time_known\` and \`precision\`.
    When \`time_known\` is false, the date is real
    and the clock time is not: show \`date\` alone,
    as it is written, never a time of day,
    and never shifted by the reader's zone.
    When it is true, \`starts_at\` is real
    to the unit that \`precision\` names.

## Two forms

Each list can be requested as a query
    (\`/${operationPath('events')}?category=…\`)
    or as a path
    (\`/${documentPath({ operation: 'events', category: '…' })}\`).
    The path form works on every host.
    The query form needs a host that runs code;
    a plain host, which only serves files,
    ignores the query and returns the unfiltered list.
    Every list shows in \`filters\` which filters
    were applied: compare them with your request.

## Rules for every response

- **Order**: events by \`starts_at\`, then by \`id\`;
    categories and genres by \`id\`;
    all by code unit.
- **Limit**: at most ${listLimit} events in a response.
    \`limit\` is the limit applied;
    \`total\` counts all matches.
- **Upcoming**: an event is listed while
    the current time is before its \`upcoming_until\`.
    Hosts that run code drop events that ended since
    the build and lower \`total\` accordingly;
    elsewhere the client must.
- **404** means that there is no such category,
    genre or document.
    A genre without upcoming events has an empty list.
- **Parameters**: an empty value counts
    as omitted, an unknown parameter is ignored,
    a repeated parameter is an error.
- **Fields** that can be null are always present.
    Version 1 may gain fields:
    ignore those that you do not know.
- **Under way**: an event that has begun
    is no longer upcoming.
    If its end is known,
    it is in \`now.json\` until its \`over_at\`.
- **Announced**: an event known only to a month,
    quarter, half or year has no date yet.
    It is in \`announced.json\` until it has one.
- **Caching**: every response has an \`ETag\`;
    a matching \`If-None-Match\` gets 304.
    \`last_sync\` in \`/${indexPath}\` says
    when the catalogue was last updated.
- **Rate**: the service sets no limit of its own.
    Please use it reasonably.

Headers and problems are those of hosts that run code.
    A plain host sends its own headers, and may
    return a page for a path that does not exist.`;

export const tags = [
  { name: 'Categories', description: 'Groups of genres.' },
  {
    name: 'Genres',
    description: 'Groups of subjects and their events.',
  },
  {
    name: 'Events',
    description: 'What is coming up, under way and announced.',
  },
  {
    name: 'Lists',
    description: 'Which months, countries, tags and collections have documents of their own.',
  },
  {
    name: 'Subjects',
    description: 'What events are about: a show, a team, a comet.',
  },
  {
    name: 'Bulk',
    description: 'Every event in one file. A site can be built without these files.',
  },
  {
    name: 'Changes',
    description: 'What was added, moved or cancelled. A site can be built without these files.',
  },
  {
    name: 'Calendars',
    description: 'Upcoming events for calendar programs to subscribe to.',
  },
  {
    name: 'Service',
    description: 'The description of the service.',
  },
] as const;

export type Tag = (typeof tags)[number]['name'];
