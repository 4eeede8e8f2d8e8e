/** Whether the tests write the expected files instead of reading them: `ALMANAC_UPDATE_GOLDEN=1 npm run test:cases`. */
export const isUpdate = process.env['ALMANAC_UPDATE_GOLDEN'] === '1';

/** Returns a document as indented JSON, with each record of a list on one line. */
export function recordPerLine(document: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(document).map(([key, value]) => {
    const isList = Array.isArray(value) && value.length > 0;
    const records = isList ? value.map((record) => `\n    ${JSON.stringify(record)}`) : [];
    const text = isList ? `[${records.join(',')}\n  ]` : JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
    return `  ${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${fields.join(',\n')}\n}\n`;
}
