import { extraColumn } from '../schema/extra.ts';
import type { EventSource, LocationSource } from '../schema/source-types.ts';
import { plainWords } from '../../catalogue/text.ts';
import { maxExceptions, maxTags, type Field } from '../schema/rules.ts';
import { columnWords, wordSet } from '../schema/column-words.ts';

/** The fields of a location except its name. */
type PlaceColumn = Exclude<keyof Extract<LocationSource, object>, 'name'>;

/**
 * A column is the name of the subject, a field of the event that one text can give, or a field of
 * its location.
 */
export type Column = 'subject' | Exclude<keyof EventSource, 'extra'> | PlaceColumn;

/**
 * Further meanings of a column: the id of the subject, the times that belong to `starts` and
 * `ends`, and whether a row is for the public.
 */
const otherColumns = ['subject_id', 'time', 'end_time', 'hidden', 'published'] as const;
export type TableColumn = Column | (typeof otherColumns)[number] | `extra.${string}`;

const plainText: Field = { type: 'string' };
const nameText: Field = { type: 'string', format: 'name' };
const urlText: Field = { type: 'string', format: 'url' };
const flag: Field = { type: 'boolean', format: 'boolean' };

/**
 * The type and the rule of each column. If a JSON file may also write an object, the text is its
 * name or address. A test compares this with the schemas.
 */
export const fields: Readonly<Record<Column, Field>> = {
  subject: nameText,
  title: nameText,
  starts: plainText,
  ends: plainText,
  repeat: nameText,
  except: { type: 'list', format: 'except', maximum: maxExceptions },
  zone: plainText,
  url: urlText,
  id: { type: 'string', format: 'id' },
  status: { type: 'string', format: 'status' },
  cancelled: flag,
  location: nameText,
  tags: { type: 'list', format: 'tag', maximum: maxTags },
  description: { type: 'string', format: 'description' },
  image: { type: 'string', format: 'image' },
  attendance: { type: 'string', format: 'attendance' },
  organizer: nameText,
  source: urlText,
  far_ahead: flag,
  address: nameText,
  country: { type: 'string', format: 'country' },
  latitude: { type: 'number', format: 'number', minimum: -90, maximum: 90 },
  longitude: { type: 'number', format: 'number', minimum: -180, maximum: 180 },
};
export const columns = Object.keys(fields) as readonly Column[];
export const required: readonly Column[] = ['subject', 'title', 'starts'];
export const placeColumns: readonly PlaceColumn[] = ['address', 'country', 'latitude', 'longitude'];

/** Whether a column gives a part of a place besides its name. */
export function isPlaceColumn(name: string): name is PlaceColumn {
  return (placeColumns as readonly string[]).includes(name);
}

/** Whether a table may call a column by this name without a mapping. */
export function isTableColumn(name: string): name is TableColumn {
  return (
    Object.hasOwn(fields, name) ||
    (otherColumns as readonly string[]).includes(name) ||
    extraColumn.test(name)
  );
}

const hiddenWords = wordSet(columnWords.hiddenWords);
const visibleWords = wordSet(columnWords.visibleWords);

/**
 * Returns what a cell about the public of a row says: `hidden`, `visible`, or `true` or `false`,
 * whose meaning depends on the column. Null if the cell says something else.
 */
export function visibilityOf(cell: string): 'hidden' | 'visible' | 'true' | 'false' | null {
  const word = plainWords(cell);
  if (hiddenWords.has(word)) return 'hidden';
  if (visibleWords.has(word)) return 'visible';
  const boolean = booleanOf(cell);
  return boolean === 'true' || boolean === 'false' ? boolean : null;
}

const errorValues = wordSet(columnWords.errors);

/** Whether a cell has the error value of a spreadsheet, such as `#REF!`. */
export function isErrorValue(cell: string): boolean {
  return errorValues.has(cell.toLowerCase());
}

const noPlaces = wordSet(columnWords.noPlaces);

/** Whether a cell for a place says that there is none yet, such as `TBA`. */
export function isNoPlace(cell: string): boolean {
  return noPlaces.has(plainWords(cell));
}

const yes = wordSet(columnWords.yes);
const no = wordSet(columnWords.no);

/**
 * Returns `true` or `false` for a word that says so, in the languages of spreadsheets. Returns
 * other texts as they are.
 */
export function booleanOf(text: string): string {
  const word = plainWords(text);
  if (yes.has(word)) return 'true';
  return no.has(word) ? 'false' : text;
}
