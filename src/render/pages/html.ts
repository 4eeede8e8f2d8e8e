/** Markup in which every value is escaped. Only {@link html} creates it. */
export interface Markup {
  readonly markup: string;
}

type Value = string | number | Markup | null | false | readonly Value[];

/**
 * Creates markup from a template. Escapes texts and numbers, for use between tags and inside quoted attributes. Inserts
 * markup and lists of it unchanged. Omits null and false.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return { markup: parts.reduce((markup, part, n) => markup + markupOf(values[n - 1] ?? null) + part) };
}

function markupOf(value: Value): string {
  if (value === null || value === false) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return 'markup' in value ? value.markup : value.map(markupOf).join('');
}
