import type { ReadKind } from './schema/file-kinds.ts';
import type { SourceFile, TextDrafts } from './schema/reading.ts';

/** Reads a text, or the texts of a folder. */
type Reader = (text: never, file: SourceFile) => TextDrafts;

/** The reader of each kind of text. It and its parser are loaded when the first file needs them. */
export const readers: Readonly<Record<ReadKind, () => Promise<Reader>>> = {
  calendar: async () => (await import('./ics/read-calendar.ts')).readCalendar,
  page: async () => (await import('./page/read-page.ts')).readPage,
  csv: async () => (await import('./table/read-table.ts')).readTable,
  json: async () => (await import('./documents/read-documents.ts')).documentReader('json'),
  yaml: async () => (await import('./documents/read-documents.ts')).documentReader('yaml'),
  toml: async () => (await import('./documents/read-documents.ts')).documentReader('toml'),
  entries: async () => (await import('./documents/entries.ts')).readFolder,
  catalogue: async () => (await import('./catalogue.ts')).readCatalogue,
};
