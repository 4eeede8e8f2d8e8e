/** The address of the project, or null until package.json names its repository. `npm run compile` writes it. */
declare module '#homepage' {
  const homepage: string | null;
  export default homepage;
}
