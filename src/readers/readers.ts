import type { TextKind } from './schema/file-kinds.ts';
import type { SourceFile, TextDrafts } from './schema/reading.ts';

type Reader = (text: string, file: SourceFile) => TextDrafts;

/** The reader of each kind of text. It and its parser are loaded when the first file needs them. */
export const readers: Readonly<Record<TextKind, () => Promise<Reader>>> = {
  calendar: async () => (await import('./ics/read-calendar.ts')).readCalendar,
  page: async () => (await import('./page/read-page.ts')).readPage,
  csv: async () => (await import('./table/read-table.ts')).readTable,
  json: async () => (await import('./documents/read-documents.ts')).documentReader('json'),
  yaml: async () => (await import('./documents/read-documents.ts')).documentReader('yaml'),
  toml: async () => (await import('./documents/read-documents.ts')).documentReader('toml'),
  catalogue: async () => (await import('./catalogue.ts')).readCatalogue,
};
