/* Types of lib/source/json/validators.js, which src/compile.ts generates from schemas.ts. */
declare module '#validators' {
  type TextRule = import('../rules.ts').TextRule;
  type EventField = keyof import('./validate.ts').EventSource;
  type Validator = (value: unknown) => boolean;

  export const service: Validator;
  export const category: Validator;
  export const genre: Validator;
  export const naming: Validator;
  export const source: Validator;
  export const subject: Validator;
  export const event: Validator;

  /** The fields of an event in the order of their declaration. */
  export const eventFields: Readonly<Record<EventField, { type: 'string' | 'boolean'; format?: TextRule }>>;
  export const requiredEventFields: readonly EventField[];
}
