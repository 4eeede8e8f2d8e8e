import { withoutPair, type Description, type Format } from './format.ts';

/** Events under way when the site was built. */
export const now = {
  file: 'now.json',
  mediaType: 'application/json',
  scopes: withoutPair,
  bulk: [],
} as const satisfies Format;

export const description = {
  schema: 'Now',
  tag: 'Events',
  description:
    'Events that have begun and are not over, ordered by `over_at`. On hosts that run code, the list is current at the time of the request; on other hosts, the client must update it.',
  scopes: {
    everything: { id: 'eventsUnderWay', summary: 'Events under way' },
    category: { id: 'eventsUnderWayOfCategory', summary: 'Events under way of one category' },
    genre: { id: 'eventsUnderWayOfGenre', summary: 'Events under way of one genre' },
  },
} as const satisfies Description<typeof now>;
