import { withoutPair, type Description, type Format } from './format.ts';

/** The changes of a scope as a feed (Atom, RFC 4287). */
export const feed = {
  file: 'feed.xml',
  mediaType: 'application/atom+xml',
  scopes: [...withoutPair, 'collection'],
  bulk: [...withoutPair, 'collection'],
} as const satisfies Format;

export const description = {
  schema: null,
  tag: 'Changes',
  description: 'The newest 50 changes as a feed (Atom, RFC 4287).',
  scopes: {
    everything: { id: 'feed', summary: 'What changed, as a feed' },
    category: { id: 'feedOfCategory', summary: 'What changed in one category, as a feed' },
    genre: { id: 'feedOfGenre', summary: 'What changed in one genre, as a feed' },
    collection: { id: 'feedOfCollection', summary: 'What changed in one collection, as a feed' },
  },
} as const satisfies Description<typeof feed>;
