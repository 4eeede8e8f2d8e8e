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
  const texts = compact(parts);
  let markup = texts[0]?.text ?? '';
  for (let n = 0; n < values.length; n++) {
    const [before, after] = [texts[n], texts[n + 1]];
    let value = markupOf(values[n] ?? null);
    // An attribute that is left out leaves no space behind.
    if (before?.endsInSpace && value === '' && after?.closesTag) markup = markup.slice(0, -1);
    else if (before?.endsInSpace && value.startsWith(' ')) value = value.slice(1);
    markup += value;
    markup += after?.text ?? '';
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
  if (!special.test(text)) return text;
  return text
    .replaceAll('&', '&#38;')
    .replaceAll('<', '&#60;')
    .replaceAll('>', '&#62;')
    .replaceAll('"', '&#34;')
    .replaceAll("'", '&#39;');
}

const special = /[&<>"']/;

/** A part of a template between two values. */
interface Part {
  readonly text: string;
  readonly endsInSpace: boolean;
  readonly closesTag: boolean;
}

const compacted = new WeakMap<TemplateStringsArray, readonly Part[]>();

/** The parts of a template without its indentation, which is a third of the bytes of a long page. */
function compact(parts: TemplateStringsArray): readonly Part[] {
  let known = compacted.get(parts);
  if (known === undefined) {
    known = parts.map((part) => {
      const text = part.replace(/\s*\n\s*/g, '\n');
      return { text, endsInSpace: text.endsWith(' '), closesTag: text.startsWith('>') };
    });
    compacted.set(parts, known);
  }
  return known;
}
