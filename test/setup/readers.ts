import { readCatalogue as draftCatalogue } from '../../src/readers/catalogue.ts';
import { readCalendar as draftCalendar } from '../../src/readers/ics/read-calendar.ts';

import { readPage as draftPage } from '../../src/readers/page/read-page.ts';
import type { SourceText } from '../../src/readers/schema/finding.ts';
import type { SourceFile, TextDrafts, TextReading } from '../../src/readers/schema/reading.ts';
import { documentReader } from '../../src/readers/documents/read-documents.ts';
import { readFolder as draftFolder } from '../../src/readers/documents/entries.ts';
import { readTable as draftTable } from '../../src/readers/table/read-table.ts';
import { readDrafts } from '../../src/source/draft.ts';

/** The readers, with the events that almanac makes of their drafts. */
export const readCalendar = withEvents(draftCalendar);
export const readCatalogue = withEvents(draftCatalogue);
export const readJsonTable = withEvents(documentReader('json'));
export const readYaml = withEvents(documentReader('yaml'));
export const readToml = withEvents(documentReader('toml'));
export const readFolder = withEvents(draftFolder);
export const readPage = withEvents(draftPage);
export const readTable = withEvents(draftTable);

function withEvents<T extends string | readonly SourceText[]>(
  read: (text: T, file: SourceFile) => TextDrafts,
) {
  return (text: T, file: SourceFile): TextReading => readDrafts(read(text, file), file.genre, file);
}
