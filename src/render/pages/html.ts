/** Markup in which every value is escaped. Only {@link html} creates it. */
export interface Markup {
  readonly markup: string;
}

export type Value = string | number | Markup | null | false | readonly Value[];

/**
 * Creates markup from a template. Escapes texts and numbers, for use between tags and inside quoted attributes. Inserts
 * markup and lists of it unchanged. Omits null and false. A line break in a template counts as one space.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const [first = '', ...rest] = compact(parts);
  let markup = first;
  for (const [n, part] of rest.entries()) {
    const value = markupOf(values[n] ?? null);
    // An attribute that is left out leaves no space behind.
    if (value === '' && part.startsWith('>') && markup.endsWith(' ')) markup = markup.slice(0, -1);
    markup += (value.startsWith(' ') && markup.endsWith(' ') ? value.slice(1) : value) + part;
  }
  return { markup };
}

function markupOf(value: Value): string {
  if (value === null || value === false) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escapeMarkup(value);
  return 'markup' in value ? value.markup : value.map(markupOf).join('');
}

function escapeMarkup(text: string): string {
  return special.test(text) ? text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`) : text;
}

const special = /[&<>"']/;
const compacted = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The parts of a template without its indentation, which is a third of the bytes of a long page. */
function compact(parts: TemplateStringsArray): readonly string[] {
  let known = compacted.get(parts);
  if (known === undefined) {
    known = parts.map((part) => part.replace(/\s*\n\s*/g, '\n'));
    compacted.set(parts, known);
  }
  return known;
}
