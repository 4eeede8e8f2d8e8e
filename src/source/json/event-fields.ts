import { maxExceptions, type Field } from '../rules.ts';
import type { EventSource, LocationSource } from './types.ts';

/** The fields of an event that one text can give. */
export type CellField = Exclude<keyof EventSource, 'extra'>;
/** The fields of a place except its name. */
export type PlaceField = Exclude<keyof Extract<LocationSource, object>, 'name'>;

/**
 * What a text that gives a field must be: the cell of a table, an option of `almanac add` or a line of the issue form.
 * If a JSON file may also write an object, the text is its name or address. A test compares this with the schemas.
 */
export const eventFields: Readonly<Record<CellField, Field>> = {
  title: { type: 'string', format: 'name' },
  starts: { type: 'string' },
  ends: { type: 'string' },
  repeat: { type: 'string', format: 'name' },
  except: { type: 'list', format: 'except', maximum: maxExceptions },
  zone: { type: 'string' },
  url: { type: 'string', format: 'url' },
  id: { type: 'string', format: 'id' },
  status: { type: 'string', format: 'status' },
  cancelled: { type: 'boolean', format: 'boolean' },
  location: { type: 'string', format: 'name' },
  tags: { type: 'list', format: 'tag', maximum: 10 },
  description: { type: 'string', format: 'description' },
  image: { type: 'string', format: 'image' },
  attendance: { type: 'string', format: 'attendance' },
  organizer: { type: 'string', format: 'name' },
  source: { type: 'string', format: 'url' },
  far_ahead: { type: 'boolean', format: 'boolean' },
};

export const placeFields: Readonly<Record<PlaceField, Field>> = {
  address: { type: 'string', format: 'name' },
  country: { type: 'string', format: 'country' },
  latitude: { type: 'number', format: 'number', minimum: -90, maximum: 90 },
  longitude: { type: 'number', format: 'number', minimum: -180, maximum: 180 },
};

export const requiredEventFields = ['title', 'starts'] as const satisfies readonly CellField[];
