import {
  compareSpots,
  maxProblemsPerFile,
  type FoundProblem,
  type TextFinding,
} from '../schema/finding.ts';
import { extraColumn, extraOfCell, findExtraProblems } from '../schema/extra.ts';
import type { PartialEvent } from '../schema/source-types.ts';
import {
  noReading,
  type DraftResult,
  type SourceFile,
  type TextDrafts,
} from '../schema/reading.ts';
import { findHalfPair, findRangeProblem, textRules, valueOfText } from '../schema/rules.ts';
import { openTable } from './cells.ts';
import { placeInRows, type OpenRows, type RowFinding, type Rows } from './rows.ts';
import { fields, isPlaceColumn, placeColumns, required, type Column } from './columns.ts';
import { findOrders, isDateCell, findingsOfOrders } from './cell-kinds.ts';
import { findHeader, readHeader, type Layout } from './header.ts';
import { mapRow, type MappedRow } from './mapped-row.ts';
import { addToSubject, findSimilar, toDraft } from './table-subjects.ts';
import { leaveOut, report, type Fault, type Table } from './table.ts';

/** Reads a table (RFC 4180, also with semicolons or tabs) with an event on each row. */
export const readTable = tableReader(openTable);

/** Returns a reader of the texts that a container opens. */
export function tableReader(open: OpenRows) {
  return (text: string, file: SourceFile): TextDrafts => {
    const { mapping } = file;
    const rows = open(text, {
      mapping,
      findHeader: (lines) => findHeader(lines, mapping),
    });
    return 'problem' in rows ? noReading(rows) : readRows(rows, file);
  };
}

/** Reads the rows of a container as drafts of events. */
export function readRows(rows: Rows, file: SourceFile): TextDrafts {
  const findings: RowFinding[] = [];
  const doubts: RowFinding[] = [];
  const placed = (list: readonly RowFinding[]): TextFinding[] =>
    list.map((finding) => placeInRows(finding, rows));
  const layout = readHeader(rows, file, findings, doubts);
  if (layout === null) return noReading(...placed(findings));
  const table = startTable(rows, layout, file, findings);
  let remarks = 0;
  for (const [row, { cells }] of rows.body.entries()) {
    if (findings.length > maxProblemsPerFile) return noReading(...placed(findings));
    if (isRemark(cells, table)) remarks++;
    else readRow(cells, row, table);
  }
  const drafts = [...table.byId].map(([id, subject]) => toDraft(id, subject, table, rows));
  doubts.push(...findSimilar(table));
  const lines = {
    'lines above the names of the columns': rows.above,
    'lines with one cell': remarks,
    'rows marked as hidden': table.skipped.hidden,
  };
  return {
    drafts,
    findings: placed(findings),
    warnings: [],
    doubts: placed(doubts),
    unpublished: new Map(Object.entries(lines).filter(([, count]) => count > 0)),
    report: (results) => {
      // With "skip", the first three say enough.
      const most = file.mapping?.skip === true ? 3 : maxProblemsPerFile;
      return reportSkipped(table.skipped, placed(table.skipped.findings), results, most);
    },
  };
}

/**
 * Reports the rows and cells that are left out, and the first three reasons. These are problems if
 * nothing else could be read.
 */
function reportSkipped(
  skipped: Table['skipped'],
  findings: readonly TextFinding[],
  results: readonly DraftResult[],
  most: number,
): Pick<TextDrafts, 'findings' | 'warnings'> {
  const leftOut = results.flatMap((result) => result.leftOut);
  const eventFindings = leftOut.map(({ finding }) => finding);
  const allReasons = [...findings, ...eventFindings].toSorted(compareSpots);
  const reasons = allReasons.slice(0, 3);
  const [first] = reasons;
  if (first === undefined) return { findings: [], warnings: [] };
  const isEmpty = results.every(({ subject }) => subject.source.events?.length === 0);
  if (isEmpty)
    return {
      findings: allReasons.slice(0, most),
      warnings: [],
    };
  const parts = leftOut.filter(({ part }) => part !== null).length;
  const rows = skipped.rows + leftOut.length - parts;
  const cells = skipped.cells + parts;
  const { problem: _, first: __, ...spot } = first;
  const warning: TextFinding = {
    problem: { code: 'skipped-rows', rows, cells, repeated: skipped.repeated },
    ...spot,
  };
  return {
    findings: [],
    warnings: [warning, ...reasons],
  };
}

function startTable(
  { body, isSheet = false }: Rows,
  layout: Layout,
  file: SourceFile,
  findings: RowFinding[],
): Table {
  const { order, title } = layout;
  const { dates, skip } = file.mapping ?? {};
  const dated = [order.indexOf('starts'), order.indexOf('ends')].filter((index) => index !== -1);
  const ordering = dates === undefined ? findOrders(body, dated) : { orders: [], example: null };
  findings.push(...findingsOfOrders(ordering, file.mappingName ?? ''));
  const ourColumns = new Set<Column>(
    order.filter((column) => column !== null && column in fields) as Column[],
  );
  if (title !== null) ourColumns.add('title');
  // `19:00–21:00` in one cell also gives the end. `14:00 EST` names the zone of its row, and
  // `Tosca (abgesagt)` its status.
  if (file.mapping !== undefined) ourColumns.add('ends').add('zone').add('status');
  const leavesOut: Table['leavesOut'] = (column) =>
    skip === true ||
    // One bad cell of a fetched sheet must not stop all its other news.
    file.isLenient === true ||
    (file.mapping !== undefined && column !== null && facts.has(column));
  return {
    layout,
    isSheet,
    file,
    findings,
    byId: new Map(),
    byName: new Map(),
    skipped: { rows: 0, cells: 0, repeated: 0, hidden: 0, findings: [] },
    columns: [...ourColumns],
    dates: dates ?? ordering.orders[0] ?? 'iso',
    leavesOut,
  };
}

/** Columns that say more about an event, but neither when nor whether it takes place. */
const more = ['url', 'location', 'tags', 'description', 'image', 'organizer', 'source'] as const;
const facts: ReadonlySet<Column> = new Set([...placeColumns, ...more]);

function readRow(cells: readonly string[], row: number, table: Table): void {
  const { layout } = table;
  const faults: Fault[] = [];
  if (!hasCells(cells, table)) {
    const problem = {
      code: 'ragged-row',
      cells: cells.length,
      columns: layout.order.length,
    } as const;
    // With `skip`, extra cells are dropped and the row stays.
    if (!table.leavesOut(null) || cells.length < layout.order.length) {
      report([{ problem, column: null }], row, table);
      return;
    }
    leaveOut(problem, row, table);
  }
  const mapped = mapRow(cells, table);
  if (mapped.isHidden) {
    table.skipped.hidden++;
    return;
  }
  for (const problem of mapped.leftOut) leaveOut(problem, row, table);
  const event = readEvent(mapped, table, faults);
  if (faults.length > 0 && !report(faults, row, table)) return;
  const { subject = layout.subject, ...rest } = event;
  const writtenId = mapped.cells.subject_id ?? '';
  if (typeof subject === 'string') addToSubject({ name: subject, writtenId }, rest, row, table);
}

function readEvent({ cells, problems }: MappedRow, { columns, leavesOut }: Table, faults: Fault[]) {
  const event: Partial<Record<Column | 'extra', unknown>> = {};
  const place: PlaceCells = {};
  for (const column of columns) {
    const text = cells[column] ?? '';
    const problem = problems[column] ?? problemOfCell(column, text);
    if (problem !== null) faults.push({ problem, column });
    const isDate = problem?.code === 'bad-time' && column === 'starts';
    if (text === '' || (problem !== null && leavesOut(column) && !isDate)) continue;
    // An invalid part of a location is kept, so that the other parts cause no further problem.
    if (isPlaceColumn(column)) place[column] = valueOfText(fields[column], text);
    else if (problem === null || column === 'location' || isDate)
      event[column] = valueOfText(fields[column], text);
  }
  const extras = Object.entries(cells).filter(
    ([column, text = '']) => extraColumn.test(column) && text !== '',
  );
  if (extras.length > 0) {
    event.extra = Object.fromEntries(
      extras.map(([column, text]) => [column.slice('extra.'.length), extraOfCell(text ?? '')]),
    );
    for (const { key, ...problem } of findExtraProblems(event.extra)) {
      faults.push({
        problem: { ...problem, key: key ?? 'extra' },
        column: null,
      });
    }
  }
  const fault = problemOfPlace(place, event.location);
  if (fault !== null) faults.push(fault);
  if (Object.keys(place).length > 0 && (fault === null || !leavesOut(fault.column))) {
    const placeCells = placeColumns.map((column) => [column, place[column]]);
    event.location = {
      name: event.location,
      ...Object.fromEntries(placeCells),
    };
  }
  return event as PartialEvent & { subject?: string };
}

/** Whether a line is a heading or a footer: only one of several cells is filled, with no date. */
function isRemark(cells: readonly string[], { layout, file }: Table): boolean {
  if (file.mapping === undefined || layout.order.length < 3) return false;
  const [filled = '', ...filledToo] = cells.filter((cell) => cell.trim() !== '');
  return filled !== '' && filledToo.length === 0 && !isDateCell(filled);
}

/**
 * Whether a row has a cell for each column. Exported tables may leave out empty cells at the end,
 * or have more.
 */
function hasCells(cells: readonly string[], { layout, file }: Table): boolean {
  if (cells.length === layout.order.length || file.mapping === undefined)
    return cells.length === layout.order.length;
  return cells.slice(layout.order.length).every((cell) => cell.trim() === '');
}

type PlaceCells = Partial<Record<(typeof placeColumns)[number], unknown>>;

function problemOfPlace(place: PlaceCells, name: unknown): Fault | null {
  const first = placeColumns.find((column) => place[column] !== undefined);
  if (first === undefined) return null;
  if (name === undefined)
    return {
      problem: { code: 'incomplete-place', found: first, missing: 'location' },
      column: first,
    };
  const problem = findHalfPair(place);
  return problem === null ? null : { problem, column: problem.found };
}

function problemOfCell(column: Column, text: string): FoundProblem | null {
  if (text === '') return required.includes(column) ? { code: 'empty-text', key: column } : null;
  const { type, format, maximum: most = Infinity } = fields[column];
  if (format === undefined) return null;
  const texts = type === 'list' ? (valueOfText(fields[column], text) as string[]) : [text];
  if (texts.length > most)
    return {
      code: 'too-many-entries',
      key: column,
      length: texts.length,
      most,
    };
  const problem = texts.map((part) => textRules[format](part)).find((result) => result !== null);
  if (problem !== undefined) return { key: column, ...problem } as FoundProblem;
  return type === 'number' ? findRangeProblem(column, Number(text), fields[column]) : null;
}
