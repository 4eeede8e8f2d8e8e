import { basename, join } from 'node:path';
import { guessTable } from '../guess.ts';
import type { OpenedRows } from '../../readers/documents/read-documents.ts';
import {
  countedNames,
  firstOfEachKind,
  placeFirst,
  type FoundProblem,
  type TextFinding,
} from '../../readers/schema/finding.ts';
import { readerOf } from '../../source/text.ts';
import { explain } from '../../source/explain.ts';
import { ProblemError } from '../../problem/problem.ts';
import { plural } from '../../problem/text.ts';
import { isFileId } from '../../readers/schema/rules.ts';
import { slug } from '../../catalogue/id.ts';
import { mappingFileOf } from '../../readers/schema/file-kinds.ts';
import { questionsAbout } from './day-rule.ts';
import { describeRows, openSource, withTheme } from './documents.ts';
import { showColumns } from './shown.ts';
import type { ImportedFile, ImportedText, ImportOptions, ImportPlan } from './plan.ts';

/**
 * Plans the copy of a table, and the mapping that the names of its columns and its rows suggest.
 */
export async function planTable(source: ImportedText, options: ImportOptions): Promise<ImportPlan> {
  const { text, ending, title } = source;
  const { file, displayPath, into, now, name, zone, ownZone, columns } = options;
  const stem = slug(title);
  if (!isFileId(stem))
    throw new ProblemError([{ code: 'bad-name', place: null, name: basename(file) }]);
  const fixed = withTheme(source, {
    ...source.mapping,
    ...(name && { subject: name }),
    ...(ownZone && { zone: ownZone }),
  });
  // Nothing is guessed beside a mapping of an earlier import, or of a theme.
  const isWhole = source.isKept || fixed.preset !== undefined;
  const rows = openSource(source, fixed);
  const refuse = (findings: readonly TextFinding[]): never => {
    throw new ProblemError(placeFirst(findings, text, displayPath(file)));
  };
  if ('problem' in rows) return refuse([rows]);
  const isList = 'path' in rows;
  if (isList && rows.body.length === 0)
    return refuse([{ problem: problemOfEmpty(rows, typeof text !== 'string'), offset: 0 }]);
  if (rows.body.length === 0 && !isWhole)
    return refuse([{ problem: { code: 'bad-table', reason: onlyNames }, offset: 0 }]);
  const described = describeRows(rows, fixed, typeof text !== 'string', ownZone ?? zone);
  const guess = isWhole
    ? {
        mapping: fixed,
        doubts: [],
        unpublished: [],
        problems: [],
      }
    : guessTable(described.rows, described.mapping, title);
  const { mapping } = guess;
  const [table, mappingName] = [`${stem}${ending}`, mappingFileOf(`${stem}${ending}`)];
  const content = `${JSON.stringify(mapping, null, 2)}\n`;
  const wrong = explain(content, 'columns', { file: displayPath(join(into, mappingName)) });
  // The file does not exist yet, and only an option can be wrong.
  if (wrong.length > 0)
    throw new ProblemError(wrong.map((problem) => ({ ...problem, place: null })));
  const spot = rows.spotOf(null);
  const open =
    isWhole || !isList
      ? []
      : [...described.questions, ...questionsAbout(described.rows, guess.mapping)];
  const unnamed = isList ? -1 : rows.names.indexOf('');
  const cell = rows.body.map((row) => row.cells[unnamed] ?? '').find((value) => /\D/.test(value));
  const nameless: FoundProblem[] =
    cell === undefined || guess.problems.length === 0
      ? []
      : [{ code: 'unnamed-column', found: cell }];
  const questions = [...guess.problems, ...open, ...nameless];
  if (questions.length > 0) return refuse(questions.map((problem) => ({ problem, ...spot })));
  const context = {
    stem,
    genre: {
      id: 'genre',
      name: '',
      category: '',
      zone,
    },
    now,
    name: null,
    url: null,
    mapping,
    mappingName,
  };
  const read = await readerOf(source.kind);
  const reading = read(text, context);
  const isUnread = reading.findings.some(
    ({ problem }) => source.isKept || problem.code.endsWith('-column'),
  );
  if (isUnread) return refuse(reading.findings);
  const isOfRow = ({ problem }: TextFinding): boolean => problem.code !== 'unclear-dates';
  const faults = placeFirst(reading.findings.filter(isOfRow), text, displayPath(file));
  const faultyRows = new Set(faults.map(({ place }) => `${place?.file}:${place?.line}`)).size;
  const events = reading.subjects.reduce(
    (sum, subject) => sum + (subject.source.events?.length ?? 0),
    0,
  );
  const readable = faultyRows === 0 ? events : Math.min(events, rows.body.length - faultyRows);
  const copies = copiesOf(source, table, readable);
  const findings = [...reading.findings, ...reading.warnings, ...firstOfEachKind(reading.doubts)];
  const warnings = placeFirst(findings, text, displayPath(join(into, table)));
  const isKnown = source.isKept && columns.size === 0 && name === null && ownZone === null;
  const readMapping = fixed.preset && isList ? rows.mapping : undefined;
  const mappingFile: ImportedFile = { name: mappingName, events: null, content };
  const plan = {
    files: isKnown ? copies : [...copies, mappingFile],
    columns: showColumns(rows, readMapping ?? mapping),
    warnings,
  };
  if (source.isKept) return plan;
  const notes = countedNames(reading.unpublished ?? new Map()).map((lines) => `skipped ${lines}`);
  if (!reading.findings.every(isOfRow)) notes.push('the order of day and month, as said below');
  if (faultyRows > 0)
    notes.push(
      `${faultyRows} of ${plural(rows.body.length, 'row')} cannot be read: correct them, or add ` +
        `"skip": true to ${mappingName} to leave them out`,
    );
  const { unpublished } = guess;
  const doubts = [...described.doubts, ...guess.doubts, ...notes];
  return {
    ...plan,
    guess: { mapping, doubts, unpublished },
  };
}

const onlyNames = 'no row below the names of the columns; export the table with its rows';

function problemOfEmpty({ unpublished }: OpenedRows, isFolder: boolean): FoundProblem {
  if (!isFolder)
    return {
      code: 'bad-rows',
      found: 'an empty list',
      rows: '',
      proposals: [],
    };
  const counts = Array.from(unpublished, ([what, count]) => `${what}: ${count}`);
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
