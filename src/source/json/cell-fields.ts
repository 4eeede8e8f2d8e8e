import type { Field } from '../rules.ts';
import { validatorSchemas } from './schemas.ts';
import type { EventSource, LocationSource } from './types.ts';

/**
 * Whether a text alone can give a field that is not just a text, a number or a boolean, because its schema also allows a
 * text. If so, the field is a column of tables, an option of `almanac add` and a line of the issue form. Otherwise only
 * JSON files have it, like the answer to a warning.
 */
const hasTextForm = { location: true, image: true, organizer: true, far_ahead: false } as const satisfies {
  readonly [Name in CompositeField]: string extends EventSource[Name] ? boolean : false;
} & { readonly far_ahead: false };

/** The type of a field of one value or a list of texts; never for others. Declare a choice as a text with a rule. */
type Kind<Value> = [Value] extends [boolean]
  ? 'boolean'
  : [Value] extends [number]
    ? 'number'
    : [Value] extends [readonly string[]]
      ? 'list'
      : [Value, string] extends [string, Value]
        ? 'string'
        : never;

type KindOf<Name extends keyof EventSource> = Kind<NonNullable<EventSource[Name]>>;
type CompositeField = {
  [Name in keyof EventSource]-?: [KindOf<Name>] extends [never] ? Name : never;
}[keyof EventSource];
type TextForms = typeof hasTextForm;
type TextForm = { [Name in keyof TextForms]: TextForms[Name] extends true ? Name : never }[keyof TextForms];

/** The fields of an event that one text can give, such as the cell of a table. */
export type CellField = Exclude<keyof EventSource, CompositeField | keyof TextForms> | TextForm;

type FieldOf<Value> = [Kind<Value>] extends [never] ? null : Field<Kind<Value>>;
type PlaceSource = Extract<LocationSource, object>;
/** The fields of a place except its name. */
export type PlaceField = Exclude<keyof PlaceSource, 'name'>;

/** The fields that one text can give, in the order of their declaration. */
interface CellFields {
  /** Every field of an event. */
  readonly eventKeys: readonly (keyof EventSource)[];
  readonly eventFields: { readonly [Name in CellField]: Name extends TextForm ? Field<'string'> : Field<KindOf<Name>> };
  /** Each of them must be of one value, to be a column. */
  readonly placeFields: { readonly [Name in PlaceField]: FieldOf<NonNullable<PlaceSource[Name]>> };
  readonly requiredEventFields: readonly CellField[];
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly maxItems?: number;
}

/** Derives the fields from the schemas. The code that reads texts loads the result, and not the schemas. */
export function cellFields(): CellFields {
  const { event, place } = validatorSchemas() as Record<
    'event' | 'place',
    { readonly properties: Readonly<Record<string, JsonSchema>>; readonly required: readonly string[] }
  >;
  const { name: _, ...ofPlace } = place.properties;
  const left = new Set(Object.entries(hasTextForm).flatMap(([name, isText]) => (isText ? [] : [name])));
  const ofEvent = Object.entries(event.properties).filter(([name]) => !left.has(name));
  const fields = {
    eventKeys: Object.keys(event.properties),
    eventFields: fieldsOf(ofEvent),
    placeFields: fieldsOf(Object.entries(ofPlace)),
    requiredEventFields: event.required,
  };
  return fields as unknown as CellFields;
}

function fieldsOf(schemas: readonly (readonly [name: string, schema: JsonSchema])[]) {
  return Object.fromEntries(schemas.map(([name, schema]) => [name, fieldOf(schema)]));
}

/** Returns the first of the values that a schema allows which a text can give. */
function fieldOf({ type, anyOf = [], items, maxItems: maximum, ...rules }: JsonSchema): Field | undefined {
  if (items !== undefined && maximum !== undefined) return { ...fieldOf(items), type: 'list', maximum };
  const kind = (['string', 'boolean', 'number'] as const).find((one) => [type].flat().includes(one));
  return kind === undefined ? anyOf.map(fieldOf).find((field) => field !== undefined) : { type: kind, ...rules };
}
