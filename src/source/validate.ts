import { metadataFiles } from './folder.ts';
import { readDataText, type SourceFolder } from './text.ts';
import { explain } from './explain.ts';
import { mayRepeatKeys, parseJson } from '../readers/schema/json-parse.ts';
import { eventSchema, sourceSchemas } from '../readers/schema/source-schemas.ts';
import { findRepeatedKeys } from '../readers/schema/json-syntax.ts';
import type { SourceKind, Sources } from '../readers/schema/source-types.ts';

/** Reads a source file. Reports everything that is wrong with it and then returns null. */
export function readSource<Kind extends SourceKind>(
  folder: SourceFolder,
  path: string,
  kind: Kind,
): Sources[Kind] | null {
  const { displayPath, report, defaultZone = null } = folder;
  const text = readDataText(folder, path);
  if (text === null) return null;
  const value = parseSource(text, kind);
  if (value === null) {
    const context = { file: displayPath(path), zone: defaultZone };
    explain(text, kind, context).forEach(report);
  }
  return value;
}

/**
 * Reads the mapping of a table: one, or a list of them, with each of which the table is read.
 * Reports everything that is wrong with it and then returns null.
 */
export function readMappings(
  folder: SourceFolder,
  path: string,
): readonly Sources['columns'][] | null {
  const text = readDataText(folder, path);
  if (text === null) return null;
  const kind = text.trimStart().startsWith('[') ? 'readings' : 'columns';
  const value = parseSource(text, kind);
  if (value !== null) return [value].flat() as Sources['columns'][];
  explain(text, kind, { file: folder.displayPath(path) }).forEach(folder.report);
  return null;
}

/** Returns the default zone of the events of a genre. Reports no problem. */
export function readDefaultZone(data: Omit<SourceFolder, 'report'>, genre: string): string | null {
  const folder = { ...data, report: () => {} };
  const genreSource = readSource(folder, `${genre}/${metadataFiles.genre}`, 'genre');
  const service = readSource(folder, metadataFiles.service, 'service');
  if (genreSource?.zone !== undefined) return genreSource.zone;
  return service?.zone ?? null;
}

/** Returns a source file as a value, or null if it is invalid. */
export function parseSource<Kind extends SourceKind>(
  text: string,
  kind: Kind,
): Sources[Kind] | null {
  const value = parseJson(text);
  const isValid = matchesSchema(value, kind) && !hasRepeatedKeys(text, value);
  return isValid ? (value as Sources[Kind]) : null;
}

/**
 * Checks the events of a subject one at a time, because zod takes kilobytes of memory for each
 * invalid one.
 */
function matchesSchema(value: unknown, kind: SourceKind): boolean {
  const { events } = (value ?? {}) as { readonly events?: unknown };
  if (kind !== 'subject' || !Array.isArray(events))
    return sourceSchemas[kind].safeParse(value).success;
  const subject = sourceSchemas.subject.safeParse({
    ...(value as object),
    events: [],
  });
  return subject.success && events.every((event) => eventSchema.safeParse(event).success);
}

/** Whether an object in a valid JSON text has the same key twice. `value` is the parsed text. */
export function hasRepeatedKeys(text: string, value: unknown): boolean {
  return mayRepeatKeys(text, value) && findRepeatedKeys(text).length > 0;
}
