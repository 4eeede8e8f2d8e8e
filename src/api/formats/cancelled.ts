import { withoutPair, type Description, type Format } from './format.ts';

/** Cancelled events, until they would have been over. */
export const cancelled = {
  file: 'cancelled.json',
  mediaType: 'application/json',
  scopes: withoutPair,
  bulk: [],
} as const satisfies Format;

export const description = {
  schema: 'Cancelled',
  tag: 'Events',
  description: 'Events that were cancelled and would not be over yet, ordered by `starts_at`.',
  scopes: {
    everything: { id: 'cancelledEvents', summary: 'Cancelled events' },
    category: { id: 'cancelledEventsOfCategory', summary: 'Cancelled events of one category' },
    genre: { id: 'cancelledEventsOfGenre', summary: 'Cancelled events of one genre' },
  },
} as const satisfies Description<typeof cancelled>;
