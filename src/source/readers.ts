import type { TextFormat } from './formats.ts';
import type { ReadText } from './reader.ts';

/** What reads each format. Its parser is loaded where there is such a file, and not before. */
const loaders: Readonly<Record<TextFormat, () => Promise<ReadText>>> = {
  ics: async () => (await import('./ics/read-calendar.ts')).readCalendar,
  csv: async () => (await import('./csv/read-table.ts')).readTable,
};

/** What reads each of the formats that are asked for. */
export type TextReaders = Readonly<Partial<Record<TextFormat, ReadText>>>;

export async function loadReaders(formats: Iterable<TextFormat>): Promise<TextReaders> {
  const loaded = [...new Set(formats)].map(async (format) => [format, await loaders[format]()] as const);
  return Object.fromEntries(await Promise.all(loaded));
}
