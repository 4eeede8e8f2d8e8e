/**
 * The numbers of attempts of `npm run test:faults`. ALMANAC_FAULTS=ci selects smaller numbers. A
 * variable with the name in capitals sets one of them, such as ALMANAC_FAULTS_KILLS=50.
 * ALMANAC_FAULTS_SEED selects other random inputs.
 */
const table = {
  seed: { full: 8, ci: 8 },
  kills: { full: 500, ci: 20 },
  races: { full: 100, ci: 8 },
  trees: { full: 100_000, ci: 600 },
  requests: { full: 1_000_000, ci: 6_000 },
} as const;

/** Returns a number of the table. */
export function countOf(name: keyof typeof table): number {
  const own = process.env[`ALMANAC_FAULTS_${name.toUpperCase()}`];
  return own === undefined
    ? table[name][process.env['ALMANAC_FAULTS'] === 'ci' ? 'ci' : 'full']
    : Number(own);
}

/** Prints the result of a test. */
export function report(line: string): void {
  process.stdout.write(`faults: ${line}\n`);
}
