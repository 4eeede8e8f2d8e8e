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
    'Events that have begun and are not over, by `over_at`. Where code runs, those that began since the last build are there and those that are over are not; a plain host leaves that to the client.',
  scopes: {
    everything: { id: 'eventsUnderWay', summary: 'Events under way' },
    category: { id: 'eventsUnderWayOfCategory', summary: 'Events under way of one category' },
    genre: { id: 'eventsUnderWayOfGenre', summary: 'Events under way of one genre' },
  },
} as const satisfies Description<typeof now>;
