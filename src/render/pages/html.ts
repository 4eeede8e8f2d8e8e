/** Markup in which every value from outside has been escaped. Only {@link html} makes it. */
export interface Markup {
  readonly markup: string;
}

type Value = string | number | Markup | null | false | readonly Value[];

/**
 * Markup from a template. Texts and numbers are escaped, so that they can stand between tags and inside quoted
 * attributes; markup and lists of it are taken as they are; null and false leave nothing.
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
