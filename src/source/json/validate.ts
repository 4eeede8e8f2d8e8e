import * as validators from '#validators';
import { readDataText, type SourceFolder } from '../text.ts';
import { mayRepeatKeys, parseJson } from './parse.ts';
import type { SourceKind, Sources } from './types.ts';

/** Reads a source file. Reports everything that is wrong with it and then returns null. */
export async function readSource<Kind extends SourceKind>(
  folder: SourceFolder,
  path: string,
  kind: Kind,
): Promise<Sources[Kind] | null> {
  const text = readDataText(folder, path);
  if (text === null) return null;
  const value = parseSource(text, kind) ?? (await checkSource(text, kind));
  if (value === null) await reportInvalid(folder, path, text, kind);
  return value;
}

/** Returns a source file as a value, or null if it may be invalid; {@link checkSource} then decides. */
export function parseSource<Kind extends SourceKind>(text: string, kind: Kind): Sources[Kind] | null {
  const value = parseJson(text);
  return validators[kind](value) && !mayRepeatKeys(text, value) ? (value as Sources[Kind]) : null;
}

/** Returns a source file as a value, or null if it is invalid. Loads jsonc-parser if keys may be repeated. */
export async function checkSource<Kind extends SourceKind>(text: string, kind: Kind): Promise<Sources[Kind] | null> {
  const value = parseJson(text);
  return validators[kind](value) && !(await hasRepeatedKeys(text, value)) ? (value as Sources[Kind]) : null;
}

/** Reports everything that is wrong with an invalid source file. Only this loads zod and jsonc-parser. */
export async function reportInvalid(
  { displayPath, report, defaultZone = null }: SourceFolder,
  path: string,
  text: string,
  kind: SourceKind,
): Promise<void> {
  const { explain } = await import('./explain.ts');
  for (const problem of explain(text, kind, displayPath(path), defaultZone)) report(problem);
}

/** Whether an object in a valid JSON text has the same key twice. `value` is the parsed text. */
export async function hasRepeatedKeys(text: string, value: unknown): Promise<boolean> {
  if (!mayRepeatKeys(text, value)) return false;
  const { findRepeatedKeys } = await import('./syntax.ts');
  return findRepeatedKeys(text).length > 0;
}
