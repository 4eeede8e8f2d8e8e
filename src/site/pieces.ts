import type { Category, Event, GenreContent } from '../catalogue/model.ts';
import { eventJson } from '../api/records.ts';
import { calendarEvent, categoriesLine } from './calendar-text.ts';

/** An event serialised for calendars, with what its place in a list rests on. */
export interface CalendarPiece {
  readonly id: string;
  readonly startsAt: number;
  readonly calendar: string;
}

/** An event serialised for both kinds of list. */
export interface Piece extends CalendarPiece {
  readonly json: string;
}

/** What a question's lists are joined from: documents hold the upcoming events, calendars the cancelled ones as well. */
export interface Pieces {
  readonly upcoming: readonly Piece[];
  readonly cancelled: readonly CalendarPiece[];
}

/** Serialises the events of a genre, each once; every list that holds one is joined from these. */
export function piecesOf({ genre, soonest, cancelled }: GenreContent, category: Category): Pieces {
  const categories = categoriesLine(genre, category.name);
  return {
    upcoming: soonest.map((event) => pieceOf(event, calendarEvent(event, categories, false), eventJson(event))),
    cancelled: cancelled.map((event) => pieceOf(event, calendarEvent(event, categories, true), '')),
  };
}

function pieceOf({ id, startsAt }: Event, calendar: string, json: string): Piece {
  return { id, startsAt, calendar, json };
}
