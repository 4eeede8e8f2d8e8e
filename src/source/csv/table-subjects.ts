import { hash } from 'node:crypto';
import { maxIdCharacters } from '../../catalogue/id.ts';
import { withEnding } from '../event-ids.ts';
import type { FoundProblem, TextFinding, ValueFinding } from '../finding.ts';
import type { CellField } from '../json/cell-fields.ts';
import type { PartialEvent } from '../json/types.ts';
import type { ReadSubject } from '../reading.ts';
import { isFileId, isId } from '../rules.ts';
import { slug } from '../slug.ts';
import { readSubject } from '../subject.ts';
import { offsetOfCell, report, type SubjectRows, type Table, type TableEvent } from './table.ts';

/** Adds an event to its subject, whose id is `givenId` or, if that is empty, the slug of its name. */
export function addToSubject(name: string, givenId: string, event: PartialEvent, offset: number, table: Table): void {
  const rows = table.byName.get(name) ?? addSubject(name, givenId, offset, table);
  rows?.entries.push({ event, offset });
}

/** Returns the rows of a subject that had none so far. Returns null if its name is invalid. */
function addSubject(name: string, givenId: string, offset: number, table: Table): SubjectRows | null {
  // A mapping can name a subject for which no id can be made. Its table has one.
  const ofFile = table.layout.subject === null || slug(name) !== '' ? '' : table.file.stem;
  const id = givenId || slug(name) || ofFile;
  const earlier = table.byId.get(id);
  const problem = problemOfName(name, id, givenId, earlier);
  if (problem !== null) {
    report([{ problem, column: 'subject', firstOffset: earlier?.offset }], offset, table);
    return null;
  }
  const rows: SubjectRows = { name, offset: offsetOfCell(offset, 'subject', table), entries: [] };
  table.byId.set(id, rows);
  table.byName.set(name, rows);
  return rows;
}

function problemOfName(
  name: string,
  id: string,
  givenId: string,
  earlier: SubjectRows | undefined,
): FoundProblem | null {
  if (!isId(id))
    return givenId === '' ? { code: 'no-subject-id', name, id, most: maxIdCharacters } : { code: 'bad-id', found: id };
  // The site has a folder of this name.
  if (!isFileId(id)) return { code: 'bad-name', name: id };
  return earlier === undefined ? null : { code: 'subject-collision', name, id, other: earlier.name };
}

/** Reads the events of a subject. Leaves out those that cannot be read, if the mapping of the table allows that. */
export function toSubject(id: string, rows: SubjectRows, table: Table, found: TextFinding[]): ReadSubject {
  const { name, offset } = rows;
  const { genre, url, mapping } = table.file;
  if (mapping !== undefined) leaveOutRepeated(rows, table);
  addIds(rows.entries, mapping !== undefined);
  for (;;) {
    const events = rows.entries.map(({ event }) => event);
    const source = { name, url: url ?? undefined, ...(mapping?.zone && { zone: mapping.zone }), events };
    const { findings, doubts, ...reading } = readSubject(source, id, genre, table.file);
    if (findings.length > 0 && table.leavesOut(null) && leaveOut(findings, rows, table)) continue;
    for (const finding of findings) table.findings.push(locate(finding, rows, table));
    for (const doubt of doubts) found.push(locate(doubt, rows, table));
    return { ...reading, source, id, offset, floating: 0 };
  }
}

/** Leaves out rows that say the same as an earlier one. */
function leaveOutRepeated({ entries }: SubjectRows, { skipped }: Table): void {
  const byStart = new Map<string, TableEvent[]>();
  const kept = entries.filter((entry) => {
    const start = `${entry.event.starts} ${entry.event.title}`;
    const earlier = byStart.get(start) ?? [];
    const content = earlier.length === 0 ? '' : JSON.stringify(entry.event);
    const first = earlier.find(({ event }) => JSON.stringify(event) === content);
    if (first === undefined) return byStart.set(start, [...earlier, entry]);
    skipped.findings.push({ problem: { code: 'repeated-row' }, offset: entry.offset, firstOffset: first.offset });
    skipped.rows++;
    return false;
  });
  entries.splice(0, entries.length, ...kept);
}

/** Leaves out the events that cannot be read, or only their ends. Returns whether there are such events. */
function leaveOut(findings: readonly ValueFinding[], rows: SubjectRows, table: Table): boolean {
  const faulty = new Map(findings.map((finding) => [Number(finding.path[1]), finding]));
  const kept = rows.entries.flatMap(({ event, offset }, index) => {
    const finding = faulty.get(index);
    if (finding === undefined) return [{ event, offset }];
    table.skipped.findings.push(locate(finding, rows, table));
    const { ends: _, ...rest } = event;
    const isLost = finding.path[2] !== 'ends';
    table.skipped[isLost ? 'rows' : 'cells']++;
    return isLost ? [] : [{ event: rest, offset }];
  });
  rows.entries.splice(0, rows.entries.length, ...kept);
  return faulty.size > 0;
}

/**
 * Gives rows with one title ids with their dates, because an exported table has none. In a table with a mapping, titles
 * without a letter or digit get such ids too.
 */
function addIds(entries: TableEvent[], isMapped: boolean): void {
  const byTitle = new Map<string, TableEvent[]>();
  for (const entry of entries) {
    const { id, title, starts } = entry.event;
    if (id !== undefined || title === undefined || starts === undefined) continue;
    const group = byTitle.get(slug(title));
    if (group === undefined) byTitle.set(slug(title), [entry]);
    else group.push(entry);
  }
  for (const [title, group] of byTitle) {
    if (title === '' ? !isMapped : group.length === 1) continue;
    const starts = countStarts(group);
    const isOne = title !== '' && group.every(({ event }) => event.title === group[0]?.event.title);
    for (const entry of group) {
      entry.event = { ...entry.event, id: isOne ? datedId(entry.event, starts) : hashedId(entry.event) };
    }
  }
}

/** Returns how many of these events are on each date, and how many start at each time. */
function countStarts(group: readonly TableEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { event } of group) {
    const { starts = '' } = event;
    for (const one of new Set([dateOf(starts), starts])) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return counts;
}

/** Returns an id with the date of an event, with its time if others have the same date, and its place if they have both. */
function datedId({ title = '', starts = '', location }: PartialEvent, counts: ReadonlyMap<string, number>): string {
  if (counts.get(dateOf(starts)) === 1) return withEnding(title, slug(dateOf(starts)));
  const place = typeof location === 'object' ? location?.name : location;
  const isOnly = counts.get(starts) === 1 || place === undefined;
  return withEnding(title, isOnly ? slug(starts) : `${slug(starts)}-${shortHash(place)}`);
}

function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 8);
}

/** Returns an id for a title that is not the only one with its letters and digits. */
function hashedId({ title = '', starts = '' }: PartialEvent): string {
  return withEnding(title, `${slug(dateOf(starts))}-${shortHash(title)}`);
}

function dateOf(starts: string): string {
  return starts.slice(0, 'yyyy-mm-dd'.length);
}

/** Finds the cell of a problem in an event, or its row if the cell is empty. */
function locate({ problem, path, first }: ValueFinding, { entries }: SubjectRows, table: Table): TextFinding {
  const { event, offset } = entries[Number(path[1])] ?? { event: {}, offset: 0 };
  const column = path[2] as CellField;
  return {
    problem,
    offset: event[column] === undefined ? offset : offsetOfCell(offset, column, table),
    ...(first && { firstOffset: entries[Number(first[1])]?.offset ?? 0 }),
  };
}
