import type { Language } from '../../catalogue/model.ts';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };

/**
 * A text that depends on a number has a form for each category that `Intl.PluralRules` has for the
 * language.
 */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string;
};

/** A text of the pages by its name. `{n}` and its like are filled in. */
export type Word = keyof typeof en.pages;
export type Words = Readonly<Record<Word, string | Forms>>;

/** The texts of each language. A site writes only those of its own for the browser. */
export const tables: Readonly<Record<Language, { readonly pages: Words }>> = {
  en,
  de,
  es,
  fr,
  ja,
};
