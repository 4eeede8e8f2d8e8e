import { html, type Markup, type Value } from './html.ts';

/** Creates XML from a template like {@link html}, without the characters that XML cannot contain. */
export function xml(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return html(parts, ...values.map((value) => (typeof value === 'string' ? value.replace(forbidden, '') : value)));
}

// eslint-disable-next-line no-control-regex -- these are what XML forbids
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Returns a document with the declaration of its version and encoding. */
export function xmlDocument({ markup }: Markup): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${markup}`;
}
