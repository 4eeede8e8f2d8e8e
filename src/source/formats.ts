/** The formats beside JSON, by the ending of their files: a subject each, or a table that names its subjects itself. */
const holds = { ics: 'subject', csv: 'table' } as const;
export type TextFormat = keyof typeof holds;

/** What reads each is in load-readers.ts. */
export const textFormatNames = Object.keys(holds) as TextFormat[];

export function isTextFormat(format: string): format is TextFormat {
  return Object.hasOwn(holds, format);
}

/** Whether the files of a format name their subjects themselves, and are not named after them. */
export function isTable(format: string): boolean {
  return isTextFormat(format) && holds[format] === 'table';
}

/** The format that a file's ending names; null where it is none of these. */
export function textFormatOf(name: string): TextFormat | null {
  return textFormatNames.find((format) => name.endsWith(`.${format}`)) ?? null;
}
