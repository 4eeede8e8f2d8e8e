import { withoutPair, type Description, type Format, type Frame } from './format.ts';

/** The same events as a table for spreadsheets (RFC 4180). */
export const csv = {
  file: 'events.csv',
  mediaType: 'text/csv',
  scopes: withoutPair,
  bulk: withoutPair,
} as const satisfies Format;

/** The columns of `events.csv`, in order. */
export const csvColumns = [
  'id',
  'title',
  'subject_id',
  'subject',
  'genre',
  'category',
  'starts_at',
  'ends_at',
  'date',
  'end_date',
  'zone',
  'time_known',
  'precision',
  'location',
  'address',
  'country',
  'latitude',
  'longitude',
  'url',
  'upcoming_until',
  'over_at',
  'status',
  'tags',
  'description',
  'image',
  'attendance',
  'organizer',
  'source',
  'updated_at',
  'starts_local',
] as const;

// Excel reads a table as UTF-8 only if it begins with a byte order mark.
export const frame: Frame = { head: () => `\ufeff${csvColumns.join(',')}\r\n`, separator: '', tail: '' };

export const description = {
  schema: null,
  tag: 'Bulk',
  description:
    'Every event that is upcoming or under way, as a table for spreadsheets (RFC 4180, UTF-8 with a byte order mark). Values that are null in JSON are empty, and so are `starts_at` and `ends_at` if the time is not known. Spaces separate the `tags`. `starts_local` is the date, or the date and time where it happens, in a form that spreadsheets understand. A text that a spreadsheet would run as a formula begins with an apostrophe.',
  scopes: {
    everything: { id: 'table', summary: 'Every event as a table' },
    category: { id: 'tableOfCategory', summary: 'Every event of one category as a table' },
    genre: { id: 'tableOfGenre', summary: 'Every event of one genre as a table' },
  },
} as const satisfies Description<typeof csv>;
