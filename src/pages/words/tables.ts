import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { Language, Words } from './words.ts';

/** The words of every language. The browser loads only the table that it needs. */
export const tables: Readonly<Record<Language, Words>> = { en, de, es, fr, ja };
