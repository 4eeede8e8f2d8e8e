/** The IANA zones of each zone of Windows, the main one first. `npm run compile` writes them. */
declare module '#windows-zones' {
  const zones: Readonly<Record<string, readonly string[]>>;
  export default zones;
}
