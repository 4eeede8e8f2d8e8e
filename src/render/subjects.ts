import type { Genre, Subject } from '../catalogue/model.ts';

/** The upcoming events of a subject: their number, and the record of the soonest one. */
export interface NextEvent {
  readonly upcoming: number;
  readonly json: string;
}

/** Serializes a subject. `next` is null if it has no upcoming event. */
export function subjectJson(
  { id, name, aliases, url }: Subject,
  { id: genre, category }: Genre,
  next: NextEvent | null,
): string {
  const record = { id, name, aliases, genre, category, url, upcoming: next?.upcoming ?? 0 };
  return `${JSON.stringify(record).slice(0, -1)},"next":${next?.json ?? 'null'}}`;
}
