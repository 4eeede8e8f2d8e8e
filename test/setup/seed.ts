/** The seed of the properties, which test the same values in every run. ALMANAC_SEED=n tests others. */
export const seed = Number(process.env['ALMANAC_SEED'] ?? 20_261_120);
