import { groupBy } from '../../catalogue/group.ts';
import { maxIdCharacters, slug } from '../../catalogue/id.ts';
import { shortHash, withEnding } from '../schema/event-ids.ts';
import type { FoundProblem } from '../schema/finding.ts';
import type { PartialEvent } from '../schema/source-types.ts';
import { refuse, type Draft } from '../schema/reading.ts';
import { isFileId, isId, textRules } from '../schema/rules.ts';
import { placeOf } from './header.ts';
import type { RowFinding, Rows } from './rows.ts';
import { report, type SubjectRows, type Table, type TableEvent } from './table.ts';

/**
 * Adds an event of a row to its subject, whose id is `writtenId` or, if that is empty, the slug of
 * its name.
 */
export function addToSubject(
  { name, writtenId }: Readonly<{ name: string; writtenId: string }>,
  event: PartialEvent,
  row: number,
  table: Table,
): void {
  const rows = table.byName.get(name) ?? addSubject(name, writtenId, row, table);
  rows?.entries.push({ event, row });
}

function addSubject(
  name: string,
  writtenId: string,
  row: number,
  table: Table,
): SubjectRows | null {
  // A mapping can name a subject for which no id can be made. Its table has one.
  const fileId = table.layout.subject === null || slug(name) !== '' ? '' : table.file.stem;
  const id = writtenId || slug(name) || fileId;
  const earlier = table.byId.get(id);
  const problem = problemOfName(name, id, writtenId, earlier);
  if (problem !== null) {
    report([{ problem, column: 'subject', first: earlier?.row }], row, table);
    return null;
  }
  const rows: SubjectRows = { name, row, entries: [] };
  table.byId.set(id, rows);
  table.byName.set(name, rows);
  return rows;
}

function problemOfName(
  name: string,
  id: string,
  writtenId: string,
  earlier?: SubjectRows,
): FoundProblem | null {
  if (!isId(id) && writtenId === '')
    return {
      code: 'no-subject-id',
      name,
      id,
      most: maxIdCharacters,
    };
  const misspelt = textRules.id(id);
  if (misspelt !== null) return { ...misspelt, key: 'subject_id' };
  // The site has a folder of this name.
  if (!isFileId(id)) return { code: 'bad-name', name: id };
  return earlier === undefined
    ? null
    : {
        code: 'subject-collision',
        name,
        id,
        other: earlier.name,
      };
}

/**
 * Finds subjects whose names differ only in hyphens, double letters or umlauts, and are probably
 * spellings of one.
 */
export function findSimilar({ byId, layout }: Table): RowFinding[] {
  if (layout.order.includes('subject_id')) return [];
  const plain = (id: string) => id.replace(/-|(?<=[aou])e/g, '').replace(/([a-z])\1+/g, '$1');
  return [...groupBy(byId, ([id]) => plain(id)).values()].flatMap((alike) => {
    const row = alike[0]?.[1].row ?? 0;
    const column = placeOf(layout, 'subject');
    const names = alike.map(([, subject]) => subject.name);
    return names.length === 1
      ? []
      : [{ problem: { code: 'similar-subjects', names }, row, column }];
  });
}

/** Returns a subject of a table. Rows that are not valid are left out if the mapping allows that. */
export function toDraft(
  id: string,
  subject: SubjectRows,
  table: Table,
  { spotOf }: Pick<Rows, 'spotOf'>,
): Draft {
  const { name, row: firstRow } = subject;
  const { layout, file } = table;
  const { url, mapping } = file;
  if (mapping !== undefined) leaveOutRepeated(subject, table);
  addIds(subject.entries);
  const { entries } = subject;
  return {
    id,
    source: {
      name,
      url: url ?? undefined,
      ...(mapping?.zone && { zone: mapping.zone }),
      events: entries.map(({ event }) => event),
    },
    spot: spotOf(firstRow, placeOf(layout, 'subject')),
    spotOf: (index, key) => {
      const { event, row } = entries[index] ?? { event: {}, row: 0 };
      const column = key as Exclude<keyof PartialEvent, 'extra'> | undefined;
      const isCell = column !== undefined && event[column] !== undefined;
      return spotOf(row, isCell ? placeOf(layout, column) : undefined);
    },
    policy: table.leavesOut(null)
      ? {
          parts: ['ends', 'time'],
          rest: 'leave out',
        }
      : refuse,
  };
}

function leaveOutRepeated(rows: SubjectRows, { skipped }: Table): void {
  const rowsByContent = new Map<string, number>();
  rows.entries = rows.entries.filter(({ event, row }) => {
    const content = JSON.stringify(event);
    const first = rowsByContent.get(content);
    if (first === undefined) return rowsByContent.set(content, row);
    skipped.findings.push({
      problem: { code: 'repeated-row' },
      row,
      first,
    });
    skipped.repeated++;
    return false;
  });
}

/**
 * Gives rows without an id their titles and dates as ids, independent of other rows. Of several
 * rows with one title and date, the first in order of time has that id, the others have their times
 * or, if an earlier one has that, a hash. Rows that differ neither in time nor in place have one
 * id, which is a problem.
 */
function addIds(entries: readonly TableEvent[]): void {
  const open = entries.filter(({ event }) => {
    const { id, title, starts, repeat } = event;
    return id === undefined && title != null && starts != null && repeat === undefined;
  });
  for (const [id, group] of groupBy(open, ({ event }) => datedId(event))) {
    const usedIds = new Set<string>();
    for (const [key, rows] of [...groupBy(group, keyOf)].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const { title = '', starts = '' } = rows[0]?.event ?? {};
      const hashed = `${slug(dateOf(starts))}-${shortHash(key)}`;
      const ids = [id, withEnding(title, slug(starts)), withEnding(title, hashed)];
      const freeId = ids.find((candidate) => !usedIds.has(candidate));
      usedIds.add(freeId ?? '');
      for (const entry of rows) entry.event = { ...entry.event, id: freeId };
    }
  }
}

/**
 * Returns the id of a row that is alone with its title and date. A title without letters and digits
 * has a hash.
 */
function datedId({ title = '', starts = '' }: PartialEvent): string {
  const date = slug(dateOf(starts));
  return withEnding(title, slug(title) === '' ? `${date}-${shortHash(title)}` : date);
}

function keyOf({ event }: TableEvent): string {
  const { title, starts, location } = event;
  return [starts, title, typeof location === 'object' ? location?.name : location].join('\n');
}

function dateOf(starts: string): string {
  return starts.slice(0, 'yyyy-mm-dd'.length);
}
