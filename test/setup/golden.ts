/**
 * Whether the tests write the expected files instead of reading them: `ALMANAC_UPDATE_GOLDEN=1 npm
 * run test:cases`.
 */
export const isUpdate = process.env['ALMANAC_UPDATE_GOLDEN'] === '1';

/**
 * Returns a document as indented JSON, with each record of a list on one line, like all that lies
 * below three levels.
 */
export function recordPerLine(document: Readonly<Record<string, unknown>>): string {
  return `${indented(document, '\n', 3)}\n`;
}

function indented(value: unknown, newline: string, levels: number): string {
  const isPlain = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isPlain || levels === 0) return JSON.stringify(value);
  const inner = `${newline}  `;
  if (Array.isArray(value))
    return `[${value.map((record) => inner + JSON.stringify(record)).join(',')}${newline}]`;
  const fields = Object.entries(value).map(
    ([key, field]) => `${inner}"${key}": ${indented(field, inner, levels - 1)}`,
  );
  return `{${fields.join(',')}${newline}}`;
}
