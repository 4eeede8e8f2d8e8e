/** The codes of three letters of ISO 3166-1 by those of two. `npm run compile` writes them. */
declare module '#country-codes' {
  const codes: Readonly<Record<string, string>>;
  export default codes;
}
