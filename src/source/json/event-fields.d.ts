/* Types of .compiled/event-fields.js, which src/compile.ts generates from schemas.ts. */
declare module '#event-fields' {
  type TextRule = import('../rules.ts').TextRule;
  type EventField = keyof import('./types.ts').EventSource;
  export type PlaceField = Exclude<keyof Extract<import('./types.ts').LocationSource, object>, 'name'>;
  /** A field of one value, such as the cell of a table. */
  export interface Field {
    readonly type: 'string' | 'boolean' | 'number';
    readonly format?: TextRule;
    readonly minimum?: number;
    readonly maximum?: number;
  }
  /** The fields of an event in the order of their declaration, with the name of the place as its location. */
  export const eventFields: Readonly<Record<EventField, Field>>;
  /** The other fields of a place. */
  export const placeFields: Readonly<Record<PlaceField, Field>>;
  export const requiredEventFields: readonly EventField[];
}
