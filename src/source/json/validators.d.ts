/* Types of .compiled/source/json/validators.js, which src/compile.ts generates from schemas.ts. */
declare module '#validators' {
  type Validator = (value: unknown) => boolean;

  export const service: Validator;
  export const category: Validator;
  export const genre: Validator;
  export const naming: Validator;
  export const columns: Validator;
  export const source: Validator;
  export const subject: Validator;
  export const collections: Validator;
  export const event: Validator;

  export const place: Validator;
}
