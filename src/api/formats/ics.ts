import { withoutPair, type Description, type Format } from './format.ts';

export const ics = {
  file: 'events.ics',
  mediaType: 'text/calendar',
  scopes: withoutPair,
  bulk: [],
} as const satisfies Format;

export const description = {
  schema: null,
  tag: 'Calendars',
  description:
    'The same events for calendar programs (iCalendar, RFC 5545), those under way and cancelled ones, marked as such, among them. An event whose time is not known fills its whole days.',
  scopes: {
    everything: { id: 'calendar', summary: 'A calendar of everything' },
    category: { id: 'calendarOfCategory', summary: 'A calendar of one category' },
    genre: { id: 'calendarOfGenre', summary: 'A calendar of one genre' },
  },
} as const satisfies Description<typeof ics>;
