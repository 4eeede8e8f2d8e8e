import { withoutPair, type Description, type Format, type Frame } from './format.ts';

/** Every subject with its next event. */
export const subjects = {
  file: 'subjects.json',
  mediaType: 'application/json',
  scopes: withoutPair,
  bulk: ['everything'],
} as const satisfies Format;

export const frame: Frame = {
  head: (filters) => `{"filters":${JSON.stringify(filters)},"subjects":[`,
  separator: ',',
  tail: ']}\n',
};

export const description = {
  schema: 'Subjects',
  tag: 'Subjects',
  description: 'Every subject with its upcoming count and its soonest event, ordered by genre, then by id.',
  scopes: {
    everything: { id: 'listSubjects', summary: 'Every subject' },
    category: { id: 'subjectsOfCategory', summary: 'The subjects of one category' },
    genre: { id: 'subjectsOfGenre', summary: 'The subjects of one genre' },
  },
} as const satisfies Description<typeof subjects>;
