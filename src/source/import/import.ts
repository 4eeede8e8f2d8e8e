import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compareProblems, wholeFile, type Problem } from '../../problem/problem.ts';
import { linkBelow } from '../../system/files.ts';
import { writeNewFiles } from '../../system/write.ts';
import type { TableMapping } from '../json/types.ts';
import { readSource } from '../json/validate.ts';
import { textRules } from '../rules.ts';
import { fileFormats, isTable, mappingFileOf, textFormatOf, type TextFormat } from '../subject-files.ts';
import { decode, decodeTable, readSourceBytes } from '../text.ts';
import { planCalendar } from './calendar.ts';
import type { ImportedFile, ImportOptions, ImportPlan } from './plan.ts';
import { planTable } from './table.ts';

/** Plans an import. Writes nothing. */
export async function planImport(options: ImportOptions): Promise<ImportPlan> {
  const { file, displayPath, into } = options;
  const format = formatOf(file.toLowerCase());
  const refused = format === null ? unknownFormat(displayPath(file)) : refusalOf(format, options);
  if (refused !== null || format === null) return refuse(refused);
  // The user named this file, so it may be a link.
  const read = readSourceBytes(realpathSync(file), () => displayPath(file));
  if (!Buffer.isBuffer(read)) return refuse(read);
  const bytes = Buffer.from(read);
  const warnings: Problem[] = [];
  const warn = (problem: Problem): unknown => warnings.push(problem);
  const text = (isTable(format) ? decodeTable : decode)(bytes, () => displayPath(file), warn);
  if (typeof text !== 'string') return refuse(text);
  const mapping = isTable(format) ? await findMapping(options) : undefined;
  if (mapping !== undefined && 'problems' in mapping) return mapping;
  const source = { text, bytes, format, mapping, title: basename(file).slice(0, -format.length - 1) };
  const plan = await (isTable(format) ? planTable : planCalendar)(source, options);
  const taken = plan.files.map((one) => join(into, one.name)).filter((path) => existsSync(path));
  const existing = taken.map((path): Problem => ({ code: 'import-exists', place: null, path: displayPath(path) }));
  const problems = [...plan.problems, ...existing].sort(compareProblems);
  return { ...plan, problems, warnings: [...warnings, ...(plan.warnings ?? [])] };
}

function formatOf(name: string): TextFormat | null {
  return name.endsWith('.json') ? 'json' : textFormatOf(name);
}

function refuse(problem: Problem | null): ImportPlan {
  return { files: [], problems: problem === null ? [] : [problem] };
}

function unknownFormat(shownPath: string): Problem {
  const endings = [...fileFormats, 'json'].map((ending) => `.${ending}`).join(', ');
  const reason = `found the file ${shownPath}; expected a name that ends in one of ${endings}`;
  return { code: 'usage', place: null, reason };
}

function refusalOf(format: TextFormat, options: ImportOptions): Problem | null {
  const { file, displayPath, name, columns, data, into } = options;
  const shownPath = displayPath(file);
  const misnamed = name === null ? null : textRules.name(name);
  if (misnamed !== null) return { key: 'name', place: null, ...misnamed };
  if (columns.size > 0 && !isTable(format)) {
    return { code: 'usage', place: null, reason: `found --column for ${shownPath}; expected a table (.csv or .json)` };
  }
  if (!existsSync(file) || !statSync(file).isFile()) return { code: 'import-missing', place: null, path: shownPath };
  const link = linkBelow(data, into);
  return link === null ? null : { code: 'symbolic-link', place: wholeFile(displayPath(link)), name: basename(link) };
}

/** Returns the mapping next to a table together with the options of the command. Undefined if there is neither. */
async function findMapping(options: ImportOptions): Promise<TableMapping | undefined | ImportPlan> {
  const { file, displayPath, columns } = options;
  const path = mappingFileOf(file);
  const problems: Problem[] = [];
  const report = (problem: Problem): unknown => problems.push(problem);
  const shown = (name: string): string => displayPath(join(dirname(path), name));
  const folder = { data: dirname(path), displayPath: shown, report };
  const found = existsSync(path) ? readSource(folder, basename(path), 'columns') : undefined;
  if (found === null) return { files: [], problems };
  if (columns.size === 0) return found;
  const ignored = [...columns].flatMap(([theirs, ours]) => (ours === '' ? theirs : []));
  const mapped = [...columns].filter(([, ours]) => ours !== '');
  const kept = Array.isArray(found?.ignore) ? found.ignore.filter((name) => !columns.has(name)) : [];
  const ignore = found?.ignore === 'others' ? found.ignore : [...kept, ...ignored];
  const isUsed = ([theirs]: readonly [string, string]): boolean => !ignored.includes(theirs);
  const before = Object.entries(found?.columns ?? {}).filter(isUsed);
  const both = { ...found, columns: Object.fromEntries([...before, ...mapped]) };
  return ignore.length > 0 ? { ...both, ignore } : both;
}

/** Writes planned files, all of them or none. Throws the error of the file system. */
export function writeImport(files: readonly Pick<ImportedFile, 'name' | 'content'>[], into: string): void {
  writeNewFiles(into, new Map(files.map(({ name, content }) => [name, content])));
}
