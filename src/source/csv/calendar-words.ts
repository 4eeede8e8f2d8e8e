import { languages } from '../../catalogue/model.ts';
import { plainWords } from '../language.ts';

/** Returns the names of months or weekdays in each language, and which of them each is. */
function namesOf(kind: 'month' | 'weekday', days: number): readonly (readonly [name: string, index: number])[] {
  return languages.flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { [kind]: 'long', timeZone: 'UTC' });
    return Array.from({ length: days }, (_, index) => {
      const day = kind === 'month' ? Date.UTC(2024, index, 1) : Date.UTC(2024, 0, index + 1);
      return [plainWords(format.format(day)), index + 1] as const;
    });
  });
}

/** Created when the first date with a word is read. */
let months: ReturnType<typeof namesOf> | undefined;
let weekdays: ReturnType<typeof namesOf> | undefined;

/** Returns the month whose name begins with a word such as `mar` in any language of the pages, or null if not one. */
export function monthOf(word: string): string | null {
  months ??= namesOf('month', 12);
  const found = new Set(months.filter(([name]) => name.startsWith(word)).map(([, month]) => month));
  const [month] = found;
  return found.size === 1 ? `${month}` : null;
}

/** Returns a text without an article, and a weekday or its abbreviation, in front of it. The text is in lower case. */
export function withoutWeekday(text: string): string {
  weekdays ??= namesOf('weekday', 7);
  const plain = text.replace(/^(?:le|el|den|der|am) /, '');
  const [front = '', word = ''] = /^(\p{L}{2,})[.,]{0,2} ?/u.exec(plain) ?? [];
  return word !== '' && weekdays.some(([name]) => name.startsWith(word)) ? plain.slice(front.length) : plain;
}
