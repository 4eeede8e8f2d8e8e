import { isZone } from '../catalogue/time/zone.ts';
import { abbreviations } from '../readers/schema/rules.ts';
import type { CellKind } from '../readers/table/cell-kinds.ts';
import type { TableColumn } from '../readers/table/columns.ts';
import { columnWords, plainName, wordSet } from '../readers/schema/column-words.ts';

/*
 * What people call the columns of a table. A name means a field only as a whole: kinds of events,
 * articles and notes such as "(optional)" are no part of it, so "Name of the event", "Event name"
 * and "Veranstaltung" are titles, but "Organizer email" is no organizer.
 */

/** A field, the kind that its cells must have, and the names of its columns, best first. */
interface FieldNames {
  readonly field: TableColumn;
  readonly kind: CellKind;
  readonly names: readonly string[];
}

/** The fields in the order in which they are looked for. */
export const fieldNames: readonly FieldNames[] = columnWords.columns.map(
  ({ field, kind, names }) => ({
    field: field as TableColumn,
    kind: kind as CellKind,
    names: [...wordSet(names)],
  }),
);

/**
 * Returns the texts that a name is as a whole, in plain words: as written, without articles, and
 * without the words for events too. The last is empty for a name that only says "event".
 */
export function readingsOf(name: string): ReadonlySet<string> {
  const withoutNote = name.replace(/[ *:]*$/, '').replace(harmlessNote, '');
  const plain = plainName(withoutNote.replace(zoneAtEnd, '').replace(unknownZone, ''));
  const readings = new Set([plainName(name), plain]);
  // At the end, "de" and "el" are languages: `title.de`, `name_el`.
  const parts = plain.split(' ');
  const last = parts.length - 1;
  const words = parts.filter((word, place) => place === last || !articles.has(word));
  const field = words.filter((word) => !eventKinds.has(word));
  const [, compound = ''] = compounds.exec(plain) ?? [];
  for (const list of [words, field, [compound]]) {
    const text = list.join(' ');
    readings.add(text);
    if (list.length > 1) readings.add(text.replace(nameWord, '').trim());
  }
  if (words.length > 0 && field.length === 0) readings.add('event');
  readings.delete('');
  return readings;
}

/** Whether one of the readings of a name is a word, or its plural. */
export function isNamed(readings: ReadonlySet<string>, word: string): boolean {
  if (readings.has(word) || readings.has(`${word}s`)) return true;
  const short = word
    .split(' ')
    .filter((part) => !articles.has(part))
    .join(' ');
  return short !== '' && short !== word && readings.has(short);
}

/** Whether the readings of a name are that of a field. */
export function isCalled(readings: ReadonlySet<string>, field: TableColumn): boolean {
  const rows = fieldNames.filter((row) => row.field === field);
  return rows.some(({ names }) => names.some((word) => isNamed(readings, word)));
}

/** Returns the fields whose names share a word with a name, without saying the same. */
export function partlyNamed(name: string): TableColumn[] {
  const words = plainName(name).split(' ');
  const isShared = (word: string) => words.some((part) => part === word || part === `${word}s`);
  const isTelling = (word: string) =>
    word.length > 2 && !/^(?:for|and|und|date|time)$/.test(word) && isShared(word);
  const fields = fieldNames.filter(({ names }) => names.some(isTelling));
  // The last word of a name says what it is, at least in English.
  const isHead = ({ names }: FieldNames) => names.includes(words.at(-1) ?? '');
  return [...new Set(likeliestFirst(fields, isHead).map(({ field }) => field))];
}

/** Returns a list with the entries first that pass a test. */
export function likeliestFirst<T>(entries: readonly T[], isLikely: (entry: T) => boolean): T[] {
  const rest = entries.filter((entry) => !isLikely(entry));
  return [...entries.filter(isLikely), ...rest];
}

/** Whether a column has a value of the map around the rows, such as `{^title}`. */
export function isOuter(name: string): boolean {
  return name.startsWith('{^');
}

/** Matches nothing. */
const never = '(?!)';

/** Returns a test of names for whole words, for parts of names as partly, and for plain names. */
function nameTest(words: string, parts = never, plainNames = never): (name: string) => boolean {
  const plain = new RegExp(String.raw`(?:^| )(?:${words})(?: |$)|${plainNames}`);
  const partly = new RegExp(parts);
  return (name) => plain.test(plainName(name)) || partly.test(name);
}

/** Whether a name says that its cells are not for the public: mail, telephone, internal, contact. */
export const isSensitive = nameTest(columnWords.sensitive, columnWords.sensitiveCjk);

/** Whether a name says that its dates are those of something else than the event. */
export const isOtherDate = nameTest(
  columnWords.otherDates,
  columnWords.otherDatesCjk,
  columnWords.otherDateParts,
);

/** Whether a name says that an event is off on its day, as "Postponed to" or "New date". */
export const isAboutChange = nameTest(columnWords.changes, columnWords.changesCjk);

/** Whether a column has notes. They are never guessed to be a description. */
export const isNote = nameTest(columnWords.notes.replaceAll(', ', '|'));

/** Whether a name is about cancellation, status, publicity or drafts. */
export const isAboutStatus = nameTest(
  columnWords.statusNames,
  columnWords.statusNamesCjk,
  // As a part of a name, such words are about the cells: "Address (private)".
  String.raw`^(?:priv\w*|confidential\w*|vertraulich\w*|sensitivity|sensibilit\w*)$`,
);

/** Whether a name may be about status or publicity, such as "Active" or "Show on website". */
export const maybeAboutStatus = nameTest(columnWords.statusHints);

/** Whether `yes` in a column of this name says that an event takes place and is public. */
export function isOnIfTrue(name: string): boolean {
  const plain = plainName(name);
  return onIfTrue.test(plain) && !offIfTrue.test(plain);
}

/**
 * Returns the zone that the name of a column ends with, such as `Time (ET)` or `start_utc`: its word
 * and the IANA name, which is null for an abbreviation that nobody knows. Null if it names none.
 */
export function zoneOfName(name: string): { word: string; zone: string | null } | null {
  const plain = name.replace(harmlessNote, '');
  const word = zoneAtEnd.exec(plain)?.[1] ?? unknownZone.exec(plain)?.[1];
  if (word === undefined) return null;
  const [, sign, hours, minutes] = offsetInName.exec(word) ?? [];
  if (sign !== undefined) {
    // The names of these zones count to the west.
    const zone = `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`;
    return { word, zone: minutes === undefined && isZone(zone) ? zone : null };
  }
  if (/^(?:utc|gmt)$/i.test(word)) return { word, zone: 'UTC' };
  return { word, zone: isZone(word) ? word : (abbreviations[word.toUpperCase()] ?? null) };
}

const articles = wordSet(columnWords.articles);
const eventKinds = wordSet(columnWords.kinds);
const compounds = new RegExp(`^(?:${columnWords.compounds})(\\S{3,})$`);
const nameWord = /^(?:name|nom|nombre|nome|名) | name$/;
const harmlessNote = new RegExp(String.raw` *[([](?:${columnWords.harmlessNotes})[)\]]$`, 'i');
const abbreviation = Object.keys(abbreviations).join('|');
const offset = String.raw`(?:UTC|GMT) ?[+−-]\d{1,2}(?::?[0-5]\d)?`;
const offsetInName = /([+−-])(\d{1,2})(?::?(?!00)(\d\d)|:?00)?$/;
const zoneAtEnd = new RegExp(
  String.raw`[ _]*(?:[([ _]|(?<=[a-z]))(?:${abbreviation}/)?(${offset}|UTC|GMT|utc|gmt|${abbreviation}|[A-Z]\w+(?:/[A-Z]\w+){1,2})[)\]]?$`,
);
const unknownZone = / *\(([A-Z]{2,4}T|[^()]+ time)\)$/;
const onIfTrue = new RegExp(columnWords.onIfTrue);
const offIfTrue = new RegExp(columnWords.offIfTrue);
