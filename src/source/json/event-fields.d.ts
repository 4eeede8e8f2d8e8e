/* Types of .compiled/event-fields.js, which src/compile.ts generates. */
declare module '#event-fields' {
  type Fields = ReturnType<typeof import('./cell-fields.ts').cellFields>;

  export const eventKeys: Fields['eventKeys'];
  export const eventFields: Fields['eventFields'];
  export const placeFields: Fields['placeFields'];
  export const requiredEventFields: Fields['requiredEventFields'];
}
