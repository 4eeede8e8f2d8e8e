import { readCatalogue as draftCatalogue } from '../../src/readers/catalogue.ts';
import { readCalendar as draftCalendar } from '../../src/readers/ics/read-calendar.ts';
import { readPage as draftPage } from '../../src/readers/page/read-page.ts';
import type { SourceFile, TextDrafts, TextReading } from '../../src/readers/schema/reading.ts';
import { readJsonTable as draftJsonTable } from '../../src/readers/table/read-json-table.ts';
import { readTable as draftTable } from '../../src/readers/table/read-table.ts';
import { readDrafts } from '../../src/source/draft.ts';

/** The readers, with the events that almanac makes of their drafts. */
export const readCalendar = withEvents(draftCalendar);
export const readCatalogue = withEvents(draftCatalogue);
export const readJsonTable = withEvents(draftJsonTable);
export const readPage = withEvents(draftPage);
export const readTable = withEvents(draftTable);

function withEvents(read: (text: string, file: SourceFile) => TextDrafts) {
  return (text: string, file: SourceFile): TextReading =>
    readDrafts(read(text, file), file.genre, file);
}
