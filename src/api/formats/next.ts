import { withoutPair, type Description, type Format } from './format.ts';

/** The first events of the same list, for devices and for hosts that ignore `limit`. */
export const next = {
  file: 'next.json',
  mediaType: 'application/json',
  scopes: [...withoutPair, 'collection'],
  bulk: [],
} as const satisfies Format;

export const description = {
  schema: 'Events',
  tag: 'Events',
  description:
    'The first events of the list next to it, in the same format: for devices, and for hosts that ignore `limit`.',
  scopes: {
    everything: { id: 'nextEvents', summary: 'The ten soonest events' },
    category: { id: 'nextEventsOfCategory', summary: 'The ten soonest events of one category' },
    genre: { id: 'nextEventsOfGenre', summary: 'The ten soonest events of one genre' },
    collection: { id: 'nextEventsOfCollection', summary: 'The ten soonest events of one collection' },
  },
} as const satisfies Description<typeof next>;
