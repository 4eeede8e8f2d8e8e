import { hash } from 'node:crypto';
import type { AnnouncedDocument, NowDocument } from '../api/documents.ts';
import { announced, formatPath, now as underWay } from '../api/formats.ts';
import { maxEvents, type Filters } from '../api/paths.ts';
import { byInstant, Soonest } from '../catalogue/soonest.ts';
import type { Overview } from './site.ts';
import { checkEvent, maxClockError } from './verify-lists.ts';
import type { Report } from './verify-report.ts';

/** A list of events under way or of announcements. */
export interface OtherList {
  readonly total: number;
  readonly records: readonly ListedRecord[];
  /** Whether a host changed it since it was published, as time went by. */
  readonly isChanged: boolean;
}

interface ListedRecord {
  readonly id: string;
  /** The instant that its list is ordered by, in milliseconds since the Unix epoch. */
  readonly instant: number;
  readonly contents: string;
}

const orderOf = ({ instant }: ListedRecord): number => instant;

/** Checks a list of events under way or of announcements by itself: its cap, its order, its filters and its times. */
export function checkOther(
  report: Report,
  path: string,
  document: NowDocument | AnnouncedDocument,
  { isChanged, now }: { readonly isChanged: boolean; readonly now: number },
): OtherList {
  const { filters, limit, total } = document;
  const list = 'events' in document ? document.events : document.announced;
  const records = list.map((record) => ({
    id: record.id,
    instant: Date.parse('window' in record ? record.window.until : (record.over_at ?? '')),
    contents: hash('sha256', JSON.stringify(record)),
  }));
  report.requireSame(path, 'limit', limit, maxEvents);
  if (!isChanged) report.requireSame(path, 'the number of records', records.length, Math.min(total, maxEvents));
  const ids = records.map(({ id }) => id);
  report.requireSame(
    path,
    'the order of records',
    ids,
    records.toSorted(byInstant(orderOf)).map(({ id }) => id),
  );
  report.requireSame(path, 'the number of different ids', new Set(ids).size, ids.length);
  for (const record of list) {
    const { id, genre, category } = record;
    const expected = { genre: filters.genre ?? genre, category: filters.category ?? category };
    report.requireSame(path, `genre and category of ${id}`, { genre, category }, expected);
    if ('window' in record) continue;
    checkEvent(report, path, record, filters);
    const isOver = isChanged && Date.parse(record.over_at ?? '') <= now - maxClockError;
    report.requireSame(path, `whether ${id} has an end that is not over`, record.over_at !== null && !isOver, true);
  }
  return { total, records, isChanged };
}

/** Checks that the lists of categories and of everything are merged from those of genres, as far as these are known. */
export function crossCheckOthers(
  report: Report,
  { categories, genres }: Overview,
  lists: ReadonlyMap<string, OtherList>,
): void {
  for (const format of [underWay, announced]) {
    for (const filters of [{}, ...categories.map(({ id }) => ({ category: id }))] as Filters[]) {
      const path = formatPath(format, filters);
      const list = lists.get(path);
      const parts = genres
        .filter(({ category }) => filters.category === undefined || category === filters.category)
        .map(({ id }) => lists.get(formatPath(format, { genre: id })));
      const known = parts.filter((part) => part !== undefined && !part.isChanged);
      if (list === undefined || list.isChanged || known.length < parts.length) continue;
      const merged = new Soonest<ListedRecord>(maxEvents, orderOf);
      for (const part of known) merged.addAll(part?.records ?? []);
      report.requireSame(
        path,
        'total',
        list.total,
        known.reduce((sum, part) => sum + (part?.total ?? 0), 0),
      );
      const contents = (records: readonly ListedRecord[]): string => records.map((record) => record.contents).join();
      report.requireSame(path, 'the records, merged from genres,', contents(list.records), contents(merged.list()));
    }
  }
}
