/** A text with the cells of some columns in it, such as `{Home} v {Away}`. */
export type Template = readonly TemplatePart[];

interface TemplatePart {
  readonly text: string;
  /** The name of a column in curly brackets, and its index. -1 if the table has no such column; null if it is a text. */
  readonly column: number | null;
}

/** Reads a template of the mapping of a table with these columns. Returns null if there is none. */
export function readTemplate(written: string | undefined, names: readonly string[]): Template | null {
  if (written === undefined) return null;
  return written.split(/(\{[^{}]*\})/).map((part) => {
    const name = /^\{(.*)\}$/s.exec(part)?.[1]?.trim();
    return { text: name ?? part, column: name === undefined ? null : names.indexOf(name) };
  });
}

/** Returns the names in curly brackets. */
export function namesIn(written: string): string[] {
  return Array.from(written.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name.trim());
}

/** Returns the names in curly brackets that are not columns of the table. */
export function unknownNames(template: Template | null): string[] {
  return (template ?? []).filter(({ column }) => column === -1).map(({ text }) => text);
}

/** Returns the text for a row, with single spaces. It is empty if all its cells are. */
export function fillTemplate(template: Template, cells: readonly string[]): string {
  const columns = template.flatMap(({ column }) => column ?? []);
  if (columns.length > 0 && columns.every((column) => (cells[column] ?? '').trim() === '')) return '';
  const parts = template.map(({ text, column }) => (column === null ? text : (cells[column] ?? '')));
  return parts.join('').replace(/\s+/g, ' ').trim();
}
