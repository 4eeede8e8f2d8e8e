import type { ReadText } from './reading.ts';
import type { TextFormat } from './subject-files.ts';

/** A reader and its parser are loaded when the first file needs them. */
const readers: Readonly<Record<TextFormat, () => Promise<ReadText>>> = {
  ics: async () => (await import('./ics/read-calendar.ts')).readCalendar,
  almanac: async () => (await import('./read-catalogue.ts')).readCatalogue,
  json: async () => (await import('./csv/read-json-table.ts')).readJsonTable,
  csv: async () => (await import('./csv/read-table.ts')).readTable,
};

export async function loadReader(format: TextFormat): Promise<ReadText> {
  return readers[format]();
}
