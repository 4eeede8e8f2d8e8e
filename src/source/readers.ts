import type { SourceFile, TextReading } from './reading.ts';
import type { TextFormat } from './subject-files.ts';

type ReadText = (text: string, file: SourceFile) => TextReading;

/** A reader and its parser are loaded when the first file needs them. */
export const readers: Readonly<Record<TextFormat, () => Promise<ReadText>>> = {
  ics: async () => (await import('./ics/read-calendar.ts')).readCalendar,
  jsonld: async () => (await import('./read-page.ts')).readPage,
  almanac: async () => (await import('./read-catalogue.ts')).readCatalogue,
  json: async () => (await import('./csv/read-json-table.ts')).readJsonTable,
  csv: async () => (await import('./csv/read-table.ts')).readTable,
};
