import { attendances, maxTags, readChoice, statuses } from '../schema/rules.ts';
import { readCountry } from '../schema/country.ts';
import { writableId } from '../schema/event-ids.ts';
import { plain, plainLines, withoutHtml } from '../plain.ts';
import { slug } from '../../catalogue/id.ts';
import { statusInTitle } from '../title-status.ts';
import type { FoundProblem } from '../schema/finding.ts';
import {
  booleanOf,
  fields,
  isErrorValue,
  isNoPlace,
  visibilityOf,
  type Column,
  type TableColumn,
} from './columns.ts';
import { footnote, withoutZone, zoneOfText } from '../dates.ts';
import { readMoments } from './moments.ts';
import type { Table } from './table.ts';
import { fillTemplate } from './header.ts';

/** The cells of a row by our columns, written as in a table that has only these. */
export interface MappedRow {
  readonly cells: Partial<Record<TableColumn, string>>;
  readonly problems: Readonly<Partial<Record<Column, FoundProblem>>>;
  /** The cells that the row is read without. */
  readonly leftOut: readonly FoundProblem[];
  /** Whether the row is not for the public. */
  readonly isHidden: boolean;
}

/**
 * Reads the cells of a row as people write them, and joins values that are spread over several
 * columns.
 */
export function mapRow(row: readonly string[], table: Table): MappedRow {
  const { layout, dates, file } = table;
  const cells: Partial<Record<TableColumn, string>> = {};
  const leftOut: FoundProblem[] = [];
  const tableZone = file.mapping?.zone ?? file.genre.zone ?? '';
  const zone = zoneOfRow(row, table) || tableZone;
  let isHidden = false;
  for (const [column, index] of layout.read) {
    const text = row[index]?.trim() ?? '';
    const fault = text === '' ? null : faultOfCell(column, text, file);
    if (fault !== null) leftOut.push(fault);
    isHidden ||= isHiddenBy(column, text, table.isSheet);
    const isEmpty = text === '' || fault !== null || (placeNames.test(column) && isNoPlace(text));
    cells[column] = isEmpty ? '' : valueOf(column, text, zone, file);
  }
  if (file.mapping !== undefined && zone !== tableZone) cells.zone = zone;
  if (layout.title !== null) cells.title = plain(fillTemplate(layout.title, row));
  if (file.mapping !== undefined) readStatus(cells);
  const moments = readMoments(cells, dates, zone);
  leftOut.push(...moments.leftOut);
  return {
    cells: { ...cells, starts: moments.starts, ends: moments.ends },
    problems: moments.problems,
    leftOut,
    isHidden,
  };
}

/**
 * Takes the status from a cell that says it, unless a column does: `Tosca (abgesagt)`, `5 May 2027
 * (cancelled)`.
 */
function readStatus(cells: Partial<Record<TableColumn, string>>): void {
  for (const column of ['title', 'starts', 'time', 'location'] as const) {
    const text = cells[column] ?? '';
    const inCell = statusInTitle(text) ?? statusAlone(column, text);
    // It is the place that is not certain.
    const isOfPlace = column === 'location' && inCell?.status === 'tentative';
    if (inCell === null || isOfPlace) continue;
    const isOpen = (cells.status || 'confirmed') === 'confirmed' && cells.cancelled !== 'true';
    if (!isOpen && inCell.status !== cells.status) continue;
    cells[column] = inCell.title;
    cells.status = inCell.status;
  }
}

/** Returns what a time or a place says that is a status: `Cancelled`. */
function statusAlone(column: TableColumn, text: string) {
  const status = column === 'time' || column === 'location' ? readChoice(text, statuses) : null;
  return status === 'cancelled' || status === 'postponed' ? { title: '', status } : null;
}

const placeNames = /^(?:location|address)$/;

/** A cell with one of these says whether an event takes place, so it must be understood. */
const decisive: ReadonlySet<string> = new Set(['status', 'cancelled', 'hidden', 'published']);

/** Returns why a cell is read as an empty one, or null. */
function faultOfCell(column: TableColumn, text: string, file: Table['file']): FoundProblem | null {
  if (isErrorValue(text) && !decisive.has(column))
    return {
      code: 'error-value',
      found: text,
    };
  // Links to meetings are not for the public.
  const isLink = column === 'location' && /^https?:\/\/\S+$/i.test(text);
  return isLink && file.mapping !== undefined ? { code: 'link-as-place' } : null;
}

/** Whether a cell says that its row is not for the public. One that nobody understands does. */
function isHiddenBy(column: TableColumn, text: string, isSheet: boolean): boolean {
  if (column !== 'hidden' && column !== 'published') return false;
  const isAboutPublic = column === 'published';
  // Who marks in a sheet what is public leaves the rest empty. A page that says nothing is public.
  const visibility = text === '' ? String(isAboutPublic && !isSheet) : visibilityOf(text);
  return visibility !== 'visible' && visibility !== String(isAboutPublic);
}

/**
 * Returns the zone of a row alone: of its cell for that, or the one whose abbreviation its start or
 * its time ends with, as in `14:00 EST`. Empty if it has none.
 */
function zoneOfRow(row: readonly string[], { layout }: Table): string {
  const cellOf = (wanted: TableColumn) => {
    const [, index] = layout.read.find(([column]) => column === wanted) ?? [];
    return index === undefined ? '' : (row[index]?.trim() ?? '');
  };
  return cellOf('zone') || zoneOfText(cellOf('time')) || zoneOfText(cellOf('starts'));
}

function valueOf(
  column: TableColumn,
  text: string,
  zone: string,
  { mapping }: Table['file'],
): string {
  const { type, format = '' } = fields[column as Column] ?? {};
  if (type === 'boolean') return booleanOf(text);
  if (mapping === undefined) return text;
  if (/^(?:starts|ends|time|end_time)$/.test(column)) return withoutZone(text, zone);
  const read = readers[column === 'subject_id' ? 'id' : format];
  return read?.(text) ?? text;
}

/** What the texts of fields mean that people write in many ways, or null. */
const readers: Readonly<Record<string, (text: string) => string | null>> = {
  id: (text) => writableId(slug(fullId.exec(text)?.[1] ?? text)) || null,
  name: (text) => plain(withoutHtml(text.replace(footnote, ''))),
  description: plainLines,
  status: (text) => readChoice(text, statuses),
  attendance: (text) => readChoice(text, attendances),
  country: readCountry,
  tag: tagsOf,
};

const fullId = /^[a-z0-9-]+\/[a-z0-9-]+\/([a-z0-9-]+)$/;

function tagsOf(text: string): string {
  const parts = text.split(/[,;|、・\n]/);
  const words = parts.length > 1 || !isTags.test(text) ? parts : text.split(/\s+/);
  const tags = words.map(slug).filter((tag) => tag !== '');
  return [...new Set(tags)].slice(0, maxTags).join(' ');
}

const isTags = /^[a-z0-9-]+(?:\s+[a-z0-9-]+)*$/;
