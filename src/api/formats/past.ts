import { withoutPair, type Description, type Format } from './format.ts';

/** The events that were over most recently, one record on each line. */
export const past = {
  file: 'past.ndjson',
  mediaType: 'application/x-ndjson',
  scopes: withoutPair,
  bulk: withoutPair,
} as const satisfies Format;

export const description = {
  schema: null,
  tag: 'Bulk',
  description:
    'Events that were over in the last 180 days (or as many as the service keeps), at most 1,000: one record per line, with the same fields as in lists, those that were over last first.',
  scopes: {
    everything: { id: 'pastEvents', summary: 'Past events, one per line' },
    category: { id: 'pastEventsOfCategory', summary: 'Past events of one category, one per line' },
    genre: { id: 'pastEventsOfGenre', summary: 'Past events of one genre, one per line' },
  },
} as const satisfies Description<typeof past>;
