import { memoize } from '../catalogue/time/memoize.ts';

/** Markup in which every value is escaped. Only {@link html} creates it. */
export interface Markup {
  readonly markup: string;
}

export type Value = string | number | Markup | null | false | readonly Value[];

/**
 * Creates markup: escapes texts and numbers, omits null and false. A line break in a template
 * counts as one space.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const texts = compact(parts);
  let markup = '';
  for (let n = 0; n < values.length; n++) {
    const value = markupOf(values[n] ?? null);
    const { text = '', withoutSpace = '' } = texts[n] ?? {};
    // An attribute begins with its own space, so that an omitted attribute leaves no space.
    const isSpaced =
      text !== withoutSpace &&
      (value === '' ? texts[n + 1]?.closesTag === true : value.startsWith(' '));
    markup += isSpaced ? withoutSpace : text;
    markup += value;
  }
  return { markup: markup + (texts.at(-1)?.text ?? '') };
}

function markupOf(value: Value): string {
  if (value === null || value === false) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escapeMarkup(value);
  if ('markup' in value) return value.markup;
  // Not `join`, which copies the whole text once more.
  let markup = '';
  for (const part of value) markup += markupOf(part);
  return markup;
}

function escapeMarkup(text: string): string {
  // Most texts have nothing to escape, which a test finds out in half the time.
  if (!/[&<>"']/.test(text)) return text;
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A part of a template between two values. */
interface Segment {
  readonly text: string;
  readonly withoutSpace: string;
  readonly closesTag: boolean;
}

/**
 * The parts of a template without its indentation, which is a third of the bytes of a long page.
 */
const compact = memoize((parts: TemplateStringsArray): readonly Segment[] =>
  parts.map((part) => {
    const text = part.replace(/\s*\n\s*(?=>)/g, '').replace(/\s*\n\s*/g, '\n');
    return {
      text,
      withoutSpace: text.replace(/ $/, ''),
      closesTag: text.startsWith('>'),
    };
  }),
);
