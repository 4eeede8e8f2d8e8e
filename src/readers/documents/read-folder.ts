import type { SourceText, TextFinding } from '../schema/finding.ts';
import { noReading, type SourceFile, type TextDrafts } from '../schema/reading.ts';
import type { TableMapping } from '../schema/source-types.ts';
import { readEntries } from './entries.ts';
import { openRows, readDocumentRows, type OpenedRows } from './read-documents.ts';

/** Reads a folder in which each file is an event, as a table. */
export function readFolder(files: readonly SourceText[], file: SourceFile): TextDrafts {
  const rows = openFolder(files, file.stem, file.mapping);
  return 'problem' in rows ? noReading(rows) : readDocumentRows(rows, file);
}

/** Returns the rows of a folder, whose name is `name`, or why there are none. */
export function openFolder(
  files: readonly SourceText[],
  name: string,
  mapping: TableMapping | undefined,
  isSample = false,
): OpenedRows | TextFinding {
  const { languages, ...entries } = readEntries(files, name, mapping?.lang ?? null);
  if (languages.length > 0)
    return {
      problem: { code: 'several-languages', languages },
      offset: 0,
    };
  if (files.length === 0)
    return {
      problem: { code: 'no-entries', passedOver: '' },
      offset: 0,
    };
  const rows = openRows(entries.documents, mapping, isSample);
  if ('problem' in rows) return rows;
  return {
    ...rows,
    findings: entries.findings,
    warnings: [...entries.warnings, ...rows.warnings],
    unpublished: new Map([...entries.passedOver, ...rows.unpublished]),
  };
}
