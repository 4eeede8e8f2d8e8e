import { withoutPair, type Description, type Format, type Frame } from './format.ts';

/** Every event that is not over, one record on each line. */
export const ndjson = {
  file: 'events.ndjson',
  mediaType: 'application/x-ndjson',
  scopes: withoutPair,
  bulk: withoutPair,
} as const satisfies Format;

export const frame: Frame = { head: () => '', separator: '', tail: '' };

export const description = {
  schema: null,
  tag: 'Bulk',
  description:
    'Every event that is upcoming or under way, without the limit of lists: one record per line, with the same fields as in lists. Grouped by genre id; within a genre in the order of lists.',
  scopes: {
    everything: { id: 'allEvents', summary: 'Every event, one per line' },
    category: { id: 'allEventsOfCategory', summary: 'Every event of one category, one per line' },
    genre: { id: 'allEventsOfGenre', summary: 'Every event of one genre, one per line' },
  },
} as const satisfies Description<typeof ndjson>;
