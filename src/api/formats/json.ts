import { withLists, type Description, type Format } from './format.ts';

/** The list of the events operation (specification 4). */
export const json = {
  file: 'events.json',
  mediaType: 'application/json',
  scopes: [...withLists, 'pair'],
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
    month: {
      id: 'eventsOfMonth',
      summary: 'Upcoming events of one month',
      description: 'The upcoming events whose `date` is in a month. There is one for every month that has some.',
    },
    country: {
      id: 'eventsOfCountry',
      summary: 'Upcoming events of one country',
      description:
        'The upcoming events whose `location.country` it is, with its code in lower case. There is one for every country that has some.',
    },
    tag: {
      id: 'eventsOfTag',
      summary: 'Upcoming events with one tag',
      description: 'The upcoming events that carry a tag. There is one for every tag that has some.',
    },
    collection: {
      id: 'eventsOfCollection',
      summary: 'Upcoming events of one collection',
      description: 'The upcoming events of everything that a collection of the catalogue names.',
    },
    pair: {
      id: 'eventsOfBothFile',
      summary: 'Upcoming events of one genre and category, as a file',
      description:
        'The same document as a file, for hosts that run no code. There is one for every pair; if the genre is in another category, the list is empty.',
    },
  },
} as const satisfies Description<typeof json>;
