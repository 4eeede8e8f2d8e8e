import type { Category, Event, GenreSummary, Subject } from '../catalogue/model.ts';
import { eventJson, subjectJson } from '../api/records.ts';
import { calendarEvent, subjectLines } from './ics.ts';

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
export function piecesOf({ genre, soonest, cancelled }: GenreSummary, category: Category): Pieces {
  const texts = new Map<Subject, SubjectTexts>();
  const textsOf = (subject: Subject): SubjectTexts => {
    let known = texts.get(subject);
    if (known === undefined) {
      known = { json: subjectJson(subject, genre), calendar: subjectLines(subject, genre.name, category.name) };
      texts.set(subject, known);
    }
    return known;
  };
  return {
    upcoming: soonest.map((event) => {
      const { json, calendar } = textsOf(event.subject);
      return pieceOf(event, calendarEvent(event, calendar, false), eventJson(event, json));
    }),
    cancelled: cancelled.map((event) =>
      pieceOf(event, calendarEvent(event, textsOf(event.subject).calendar, true), ''),
    ),
  };
}

/** What all events of a subject have in common. */
interface SubjectTexts {
  readonly json: string;
  readonly calendar: string;
}

function pieceOf({ id, startsAt }: Event, calendar: string, json: string): Piece {
  return { id, startsAt, calendar, json };
}
