import { withoutPair, type Description, type Format } from './format.ts';

/** Announcements: known to a month, quarter, half or year. */
export const announced = {
  file: 'announced.json',
  mediaType: 'application/json',
  scopes: withoutPair,
  bulk: [],
} as const satisfies Format;

export const description = {
  schema: 'Announced',
  tag: 'Events',
  description:
    'Events known only to a month, quarter, half or year. They have no date yet; once dated they become events with the same id.',
  scopes: {
    everything: { id: 'announced', summary: 'Announced events' },
    category: { id: 'announcedOfCategory', summary: 'Announced events of one category' },
    genre: { id: 'announcedOfGenre', summary: 'Announced events of one genre' },
  },
} as const satisfies Description<typeof announced>;
