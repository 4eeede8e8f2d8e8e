/* Types of .compiled/record-validators.js, which src/compile.ts generates from the published schemas. */
declare module '#record-validators' {
  export const event: (value: unknown) => boolean;
}
