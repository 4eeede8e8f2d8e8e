import { withLists, type Description, type Format } from './format.ts';

export const ics = {
  file: 'events.ics',
  mediaType: 'text/calendar',
  scopes: withLists,
  bulk: [],
} as const satisfies Format;

export const description = {
  schema: null,
  tag: 'Calendars',
  description:
    'Upcoming events for calendar programs (iCalendar, RFC 5545), including events under way, those of the last months, and cancelled events, which are marked as cancelled. An event without a known time is an all-day event. It has the 1,000 soonest upcoming events of its scope. If there are more, `X-WR-CALDESC` says up to which date it reaches.',
  scopes: {
    everything: { id: 'calendar', summary: 'A calendar of everything' },
    category: { id: 'calendarOfCategory', summary: 'A calendar of one category' },
    genre: { id: 'calendarOfGenre', summary: 'A calendar of one genre' },
    month: { id: 'calendarOfMonth', summary: 'A calendar of one month' },
    country: { id: 'calendarOfCountry', summary: 'A calendar of one country' },
    tag: { id: 'calendarOfTag', summary: 'A calendar of the events with one tag' },
    collection: { id: 'calendarOfCollection', summary: 'A calendar of one collection' },
  },
} as const satisfies Description<typeof ics>;
