/** The names of the time zone database that have a slash, links included. `npm run compile` writes them. */
declare module '#zone-names' {
  const names: readonly string[];
  export default names;
}
