/** Properties are tried on the same values in every run; ALMANAC_SEED=n tries others. */
export const seed = Number(process.env['ALMANAC_SEED'] ?? 20_261_120);
