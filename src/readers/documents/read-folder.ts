import type { SourceFile, TextReading } from '../schema/reading.ts';
import type { TableMapping } from '../schema/source-types.ts';
import type { TextFinding } from '../schema/finding.ts';
import { noReading } from '../table/read-table.ts';
import { readEntries, type EntryFile } from './entries.ts';
import type { DocumentGrid } from './grid.ts';
import { placeIn } from './place.ts';
import { openRows, readDocumentGrid } from './read-documents.ts';

/** Reads a folder in which each file is an event, as a table. */
export function readFolder(files: readonly EntryFile[], file: SourceFile): TextReading {
  const { grid, findings } = openFolder(files, file.stem, file.mapping);
  if (grid === null) return noReading(...findings);
  const reading = readDocumentGrid(grid, file);
  return { ...reading, findings: [...findings, ...reading.findings] };
}

/** The rows of a folder, and the files that cannot be read. */
export interface OpenFolder {
  readonly grid: DocumentGrid | null;
  readonly findings: readonly TextFinding[];
}

/** Opens a folder, whose name is `name`, as a table. */
export function openFolder(
  files: readonly EntryFile[],
  name: string,
  mapping: TableMapping | undefined,
): OpenFolder {
  const entries = readEntries(files, name, mapping?.lang ?? null);
  const { languages, documents, passedOver } = entries;
  if (languages.length > 0)
    return {
      grid: null,
      findings: [{ problem: { code: 'several-languages', languages }, offset: 0 }],
    };
  if (documents.length === 0 && passedOver.size === 0 && entries.findings.length === 0)
    return { grid: null, findings: [{ problem: { code: 'no-entries' }, offset: 0 }] };
  const place = placeIn(files.map(({ path, text }) => ({ file: path, text })));
  const placed = ({ problem, spot, first }: (typeof entries.findings)[number]): TextFinding =>
    place(problem, spot, first);
  const findings = entries.findings.map(placed);
  const grid = openRows(documents, mapping);
  if ('problem' in grid) return { grid: null, findings: [...findings, grid] };
  const warnings = [...entries.warnings.map(placed), ...grid.warnings];
  const unpublished = new Map([...passedOver, ...grid.unpublished]);
  return { grid: { ...grid, warnings, unpublished }, findings };
}
