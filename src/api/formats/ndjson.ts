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
    'Every event that is upcoming or under way, without the cap of lists, one record on each line, with the fields of a list. Grouped by genre in the order of ids; within a genre ordered as lists are.',
  scopes: {
    everything: { id: 'allEvents', summary: 'Every event, one on each line' },
    category: { id: 'allEventsOfCategory', summary: 'Every event of one category, one on each line' },
    genre: { id: 'allEventsOfGenre', summary: 'Every event of one genre, one on each line' },
  },
} as const satisfies Description<typeof ndjson>;
