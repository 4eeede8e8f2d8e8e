import { basename, join } from 'node:path';
import type { Problem } from '../../problem/problem.ts';
import { guessTable } from '../csv/guess.ts';
import { openList } from '../csv/read-json-table.ts';
import { openTable } from '../csv/read-table.ts';
import { placeFirst } from '../positions.ts';
import { loadReader } from '../reader.ts';
import type { TableMapping } from '../json/types.ts';
import { isFileId } from '../rules.ts';
import { slug } from '../slug.ts';
import { mappingFileOf } from '../subject-files.ts';
import type { ImportedFile, ImportedText, ImportOptions, ImportPlan } from './plan.ts';

/** Plans the copy of a table, and the mapping that the names of its columns and its rows suggest. */
export async function planTable(source: ImportedText, options: ImportOptions): Promise<ImportPlan> {
  const { text, bytes, format, title } = source;
  const { file, displayPath, into, now, name, zone } = options;
  const stem = slug(title);
  if (!isFileId(stem)) return { files: [], problems: [{ code: 'bad-name', place: null, name: basename(file) }] };
  const given = { ...source.mapping, ...(name !== null && { subject: name }) };
  const isList = format === 'json';
  const rows = isList ? findRows(text, given) : undefined;
  const known = rows === undefined ? given : { ...given, rows };
  const grid = isList ? openList(text, known) : openTable(text);
  if ('problem' in grid) return { files: [], problems: placeFirst([grid], text, displayPath(file)) };
  const guess = guessTable(grid, known, title);
  // A list of objects without a mapping would be a subject file.
  const mapping = Object.keys(guess.mapping).length > 0 || isList ? guess.mapping : undefined;
  const [table, mappingName] = [`${stem}.${format}`, mappingFileOf(`${stem}.${format}`)];
  const genre = { id: 'genre', name: '', category: '', zone };
  const read = await loadReader(format);
  const { subjects, findings } = read(text, { stem, genre, now, name: null, url: null, mapping, mappingName });
  const isUnread = findings.some(({ problem }) => unreadable.has(problem.code));
  if (isUnread) return { files: [], problems: placeFirst(findings, text, displayPath(file)) };
  const events = subjects.reduce((sum, subject) => sum + (subject.source.events?.length ?? 0), 0);
  const copy: ImportedFile = { name: table, events, content: bytes };
  const warnings = placeFirst(findings, text, displayPath(join(into, table)));
  if (mapping === undefined) return { files: [copy], problems: [], warnings };
  const content = `${JSON.stringify(mapping, null, 2)}\n`;
  const files: ImportedFile[] = [copy, { name: mappingName, events: null, content }];
  const doubts = [...guess.doubts, ...(warnings.some(({ code }) => code !== 'unclear-dates') ? [advice] : [])];
  return { files, problems: [], guess: { mapping, doubts }, warnings };
}

/** Returns where in a document the list of objects is, if it is not the document itself and the mapping does not say it. */
function findRows(text: string, mapping: TableMapping): string | undefined {
  const list = mapping.rows === undefined ? openList(text, mapping) : null;
  return list !== null && 'problem' in list && list.problem.code === 'bad-rows'
    ? (list.problem.proposal ?? undefined)
    : undefined;
}

const advice = 'the problems above; "skip": true in the mapping leaves out what cannot be read';

/** Problems of a table for which a guessed mapping is no start. */
const unreadable = new Set<Problem['code']>(['missing-column', 'unknown-column', 'repeated-column']);
