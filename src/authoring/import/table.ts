import { basename, join } from 'node:path';
import { guessTable, type Guess } from '../guess.ts';
import type { OpenedRows } from '../../readers/documents/read-documents.ts';
import {
  countedNames,
  firstOfEachKind,
  placeFirst,
  type FoundProblem,
  type TextFinding,
} from '../../readers/schema/finding.ts';
import { explain } from '../../source/explain.ts';
import { ProblemError } from '../../problem/problem.ts';
import { plural } from '../../problem/text.ts';
import { isFileId } from '../../readers/schema/rules.ts';
import { slug } from '../../catalogue/id.ts';
import { mappingFileOf } from '../../readers/schema/file-kinds.ts';
import {
  describeRows,
  openSource,
  questionsAboutRows,
  readImported,
  withTheme,
} from './documents.ts';
import type { Rows } from '../../readers/table/rows.ts';
import type { TableMapping } from '../../readers/schema/source-types.ts';
import { showColumns } from './shown.ts';
import type { ImportedFile, ImportedText, ImportOptions, ImportPlan } from './plan.ts';

/**
 * Plans the copy of a table, and the mapping that the names of its columns and its rows suggest.
 */
export async function planTable(source: ImportedText, options: ImportOptions): Promise<ImportPlan> {
  const { text, ending } = source;
  const { file, displayPath, into, name, ownZone, columns } = options;
  const stem = stemOf(source, file);
  const opened = openTable(source, options);
  const { rows, fixed } = opened;
  const { mapping, unpublished, doubts, problems } = guessMapping(opened, source, options);
  const [table, mappingName] = [`${stem}${ending}`, mappingFileOf(`${stem}${ending}`)];
  const content = `${JSON.stringify(mapping, null, 2)}\n`;
  checkMapping(content, displayPath(join(into, mappingName)));
  const spot = rows.spotOf(null);
  const questions = problems.map((problem) => ({ problem, ...spot }));
  questions.push(...secondTable(rows, mapping));
  if (questions.length > 0) throw problemsOf(questions, source, options);
  const reading = await readImported(source, options, { stem, mapping, mappingName });
  const isUnread = reading.findings.some(
    ({ problem }) => source.isKept || problem.code.endsWith('-column'),
  );
  if (isUnread) throw problemsOf(reading.findings, source, options);
  // Not a fault of the rows: an option gives all of them a zone.
  for (const { problem, ...place } of reading.findings)
    if (problem.code === 'zone-missing')
      throw problemsOf([{ problem: { ...problem, isImported: true }, ...place }], source, options);
  const isOfRow = ({ problem }: TextFinding) => problem.code !== 'unclear-dates';
  const faults = placeFirst(reading.findings.filter(isOfRow), text, displayPath(file));
  const faultyRows = new Set(faults.map(({ place }) => `${place?.file}:${place?.line}`)).size;
  const events = reading.subjects.reduce(
    (sum, subject) => sum + (subject.source.events?.length ?? 0),
    0,
  );
  const readable = faultyRows === 0 ? events : Math.min(events, rows.body.length - faultyRows);
  const copies = copiesOf(source, table, readable);
  const findings = [...reading.findings, ...reading.warnings, ...firstOfEachKind(reading.doubts)];
  const isKnown = source.isKept && columns.size === 0 && name === null && ownZone === null;
  const readMapping = fixed.preset && 'path' in rows ? rows.mapping : undefined;
  const mappingFile: ImportedFile = {
    name: mappingName,
    events: null,
    content,
  };
  const plan = {
    files: isKnown ? copies : [...copies, mappingFile],
    columns: showColumns(rows, readMapping ?? mapping),
    warnings: placeFirst(findings, text, displayPath(join(into, table))),
  };
  if (source.isKept) return plan;
  const notes = countedNames(reading.unpublished ?? new Map()).map((lines) => `skipped ${lines}`);
  if (!reading.findings.every(isOfRow)) notes.push('the order of day and month, as said below');
  if (faultyRows > 0)
    notes.push(
      `${faultyRows} of ${plural(rows.body.length, 'row')} cannot be read: correct them, or add ` +
        `"skip": true to ${mappingName} to leave them out`,
    );
  return {
    ...plan,
    guess: { mapping, doubts: [...doubts, ...notes], unpublished },
  };
}

/** The rows of a table, and what is fixed about them before anything is guessed. */
interface OpenedTable {
  readonly rows: OpenedRows | Rows;
  readonly fixed: TableMapping;
  /** Whether nothing is guessed beside a mapping of an earlier import, or of a theme. */
  readonly isWhole: boolean;
}

function openTable(source: ImportedText, options: ImportOptions): OpenedTable {
  const { name, ownZone } = options;
  const fixed = withTheme(source, {
    ...source.mapping,
    ...(name && { subject: name }),
    ...(ownZone && { zone: ownZone }),
  });
  const isWhole = source.isKept || fixed.preset !== undefined;
  const rows = openSource(source, fixed);
  if ('problem' in rows) throw problemsOf([rows], source, options);
  const isEmpty = rows.body.length === 0;
  if (isEmpty && ('path' in rows || !isWhole)) {
    const problem = problemOfEmpty(rows, typeof source.text !== 'string');
    throw problemsOf([{ problem, offset: 0 }], source, options);
  }
  return { rows, fixed, isWhole };
}

function guessMapping(
  { rows, fixed, isWhole }: OpenedTable,
  source: ImportedText,
  { zone, ownZone }: ImportOptions,
): Guess {
  const isFolder = typeof source.text !== 'string';
  const described = describeRows(rows, fixed, isFolder, ownZone ?? zone);
  const { doubts } = described;
  if (isWhole)
    return {
      mapping: fixed,
      doubts,
      unpublished: [],
      problems: [],
    };
  const guess = guessTable(described.rows, described.mapping, source.title, 'path' in rows);
  const answers = new Set(Object.keys(fixed.columns ?? {}));
  const questions =
    'path' in rows
      ? [...described.questions, ...questionsAboutRows(described.rows, guess.mapping, answers)]
      : namelessColumn(rows, guess);
  return {
    ...guess,
    doubts: [...doubts, ...guess.doubts],
    problems: [...guess.problems, ...questions],
  };
}

/** Finds a line that names other columns below the start: that of another table. */
function secondTable({ names, body, spotOf }: Rows, { columns = {} }: TableMapping): TextFinding[] {
  const start = names.findIndex((name) => columns[name] === 'starts');
  const row = body.findIndex(
    ({ cells }) =>
      cells[start]?.trim() === names[start] &&
      cells.some((cell, index) => cell.trim() !== names[index]),
  );
  if (start === -1 || row === -1) return [];
  const lines = body[row]?.cells.map((cell) => JSON.stringify(cell.trim())).join(', ') ?? '';
  const reason = `another table, whose columns are ${lines}; save each table as a file of its own`;
  return [{ problem: { code: 'bad-table', reason }, ...spotOf(row) }];
}

/** Shows a column without a name, if another question is open that it may answer. */
function namelessColumn({ names, body }: Rows, { problems }: Guess): FoundProblem[] {
  if (problems.length === 0) return [];
  const unnamed = names.indexOf('');
  const cells = body.map((row) => row.cells[unnamed] ?? '');
  const cell = cells.find((value) => /\D/.test(value));
  return cell === undefined ? [] : [{ code: 'unnamed-column', found: cell }];
}

function stemOf({ title }: ImportedText, file: string): string {
  const stem = slug(title);
  if (isFileId(stem)) return stem;
  throw new ProblemError([{ code: 'bad-name', place: null, name: basename(file) }]);
}

/** Throws what is wrong with a mapping. It does not exist yet, so only an option can be wrong. */
function checkMapping(content: string, path: string): void {
  const problems = explain(content, 'columns', { file: path });
  if (problems.length > 0)
    throw new ProblemError(problems.map((problem) => ({ ...problem, place: null })));
}

function problemsOf(
  findings: readonly TextFinding[],
  { text }: ImportedText,
  { file, displayPath }: ImportOptions,
): ProblemError {
  return new ProblemError(placeFirst(findings, text, displayPath(file)));
}

const onlyNames = 'no row below the names of the columns; export the table with its rows';

function problemOfEmpty(rows: OpenedTable['rows'], isFolder: boolean): FoundProblem {
  if (!('path' in rows)) return { code: 'bad-table', reason: onlyNames };
  if (!isFolder)
    return {
      code: 'bad-rows',
      found: 'an empty list',
      rows: '',
      proposals: [],
    };
  const counts = Array.from(rows.unpublished, ([what, count]) => `${what}: ${count}`);
  return {
    code: 'no-entries',
    passedOver: counts.join(', '),
  };
}

/** Returns the copy of a table, or the copies of the files of a folder, which count as one. */
function copiesOf({ text, bytes }: ImportedText, table: string, events: number): ImportedFile[] {
  if (typeof text === 'string') return [{ name: table, events, content: bytes }];
  return text.map((inner, index) => {
    const content = Buffer.from(inner.text);
    return {
      name: table + inner.file,
      events,
      content,
      isShown: index === 0,
    };
  });
}
