import type { Description, Format } from './format.ts';

/** The list of the events operation (specification 4). */
export const json = {
  file: 'events.json',
  mediaType: 'application/json',
  scopes: ['everything', 'category', 'genre', 'pair'],
  bulk: [],
} as const satisfies Format;

export const description = {
  schema: 'Events',
  tag: 'Events',
  description: 'The same document as a file, for hosts that run no code.',
  scopes: {
    everything: {
      id: 'eventsFile',
      summary: 'Upcoming events, as a file',
      description:
        'The same document as a file, for hosts that run no code. On hosts that run code, the parameters apply to it too.',
      parameters: ['genreFilter', 'categoryFilter', 'limit'],
      refusals: ['InvalidEventsQuery', 'UnknownFilter'],
    },
    category: {
      id: 'eventsOfCategoryFile',
      summary: 'Upcoming events of one category, as a file',
    },
    genre: { id: 'eventsOfGenreFile', summary: 'Upcoming events of one genre, as a file' },
    pair: {
      id: 'eventsOfBothFile',
      summary: 'Upcoming events of one genre and category, as a file',
      description:
        'The same document as a file, for hosts that run no code. There is one for every pair; if the genre is in another category, the list is empty.',
    },
  },
} as const satisfies Description<typeof json>;
