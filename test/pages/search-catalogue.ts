import { join } from 'node:path';
import type { Tree } from '../setup/folders.ts';
import { readSections } from '../setup/sections.ts';

/** A Monday. */
export const now = '2026-11-23T12:00:00Z';

/** A catalogue with what people search for. */
export const searchCatalogue: Tree = Object.fromEntries(
  readSections(join(import.meta.dirname, '../fixtures/search-catalogue.txt')),
);
