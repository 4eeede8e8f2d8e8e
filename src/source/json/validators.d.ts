/* Types of lib/source/json/validators.js, which src/compile.ts generates from schemas.ts. */
declare module '#validators' {
  type TextRule = import('../rules.ts').TextRule;
  type EventField = keyof import('./validate.ts').EventSource;
  export type PlaceField = Exclude<keyof Extract<import('./validate.ts').LocationSource, object>, 'name'>;
  /** A field of one value, such as the cell of a table. */
  export interface Field {
    readonly type: 'string' | 'boolean' | 'number';
    readonly format?: TextRule;
    readonly minimum?: number;
    readonly maximum?: number;
  }
  type Validator = (value: unknown) => boolean;

  export const service: Validator;
  export const category: Validator;
  export const genre: Validator;
  export const naming: Validator;
  export const source: Validator;
  export const subject: Validator;
  export const event: Validator;

  export const place: Validator;

  /** The fields of an event in the order of their declaration, with the name of the place as its location. */
  export const eventFields: Readonly<Record<EventField, Field>>;
  /** The other fields of a place. */
  export const placeFields: Readonly<Record<PlaceField, Field>>;
  export const requiredEventFields: readonly EventField[];
}
