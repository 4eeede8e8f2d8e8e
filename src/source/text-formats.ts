/** The formats beside JSON, by the ending of their files. What reads each is in load-readers.ts. */
export const textFormatNames = ['ics', 'csv'] as const;
export type TextFormat = (typeof textFormatNames)[number];

export function isTextFormat(format: string): format is TextFormat {
  return (textFormatNames as readonly string[]).includes(format);
}

/** The format that a file's ending names; null where it is none of these. */
export function textFormatOf(name: string): TextFormat | null {
  return textFormatNames.find((format) => name.endsWith(`.${format}`)) ?? null;
}
