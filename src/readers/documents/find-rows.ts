import { columnWords, plainName, startNames, wordSet } from '../schema/column-words.ts';
import { readTime } from '../dates.ts';
import { isDateCell } from '../table/cell-kinds.ts';
import { flatten, joinPath, maxTexts, selectRows, type SelectedRow } from './select.ts';
import type { Scalar, Value } from './value.ts';

/** A path that leads to rows with dates, and their number. */
export interface RowsPath {
  readonly path: string;
  readonly count: number;
  /** The paths that it joins. */
  readonly parts?: readonly RowsPath[];
  /** The paths beside it that lead to other things than public events, such as drafts. */
  readonly aside?: readonly RowsPath[];
}

/** Lists deeper than this are not looked for. */
const maxDepth = 3;

/**
 * Returns the paths that lead to rows with dates: to lists, to the list under each key (`*`), or to
 * the map under each key (`{id}`). The outermost ones only.
 */
export function findRows(value: Value, path = '', depth = 0): RowsPath[] {
  if (value.kind === 'text' || depth > maxDepth) return [];
  if (value.kind === 'list') {
    const rows = selectRows(value, '') ?? [];
    if (isDated(rows)) return [withInner(path, rows)];
    // The entries of a list look alike.
    const [first] = value.items;
    return first?.kind === 'mapping' ? findRows(first, path || '*', depth + 1) : [];
  }
  // The maps under several keys are rows.
  const children = [...value.entries];
  const keyed = selectRows(value, '{id}') ?? [];
  const isKeyed = children.every(([, child]) => child.kind === 'mapping');
  if (isKeyed && keyed.length > 1 && isDated(keyed))
    return [withInner(joinPath(path, '{id}'), keyed)];
  // The rows are further inside.
  const inner = children.filter(([, child]) => child.kind !== 'text');
  // The next year is another key.
  const isOneYear = inner.length === 1 && /^(?:19|20)\d\d$/.test(inner[0]?.[0] ?? '');
  const lists = inner.map(([key, child]) => {
    const childPath = joinPath(path, isOneYear ? '*' : key);
    return {
      isOther: otherLists.test(key),
      paths: findRows(child, childPath, depth + 1),
    };
  });
  const aside = lists.flatMap(({ isOther, paths }) => (isOther ? paths : []));
  const rest = lists.flatMap(({ isOther, paths }) => (isOther ? [] : paths));
  const [only, ...more] = rest;
  if (aside.length === 0 || only === undefined) return joinAlike(lists.map(({ paths }) => paths));
  // A path for several keys would lead to those too.
  return more.length > 0 ? rest : [{ ...only, aside }];
}

/** The keys of lists that have no events, or none for the public. */
const otherLists =
  /^(?:drafts?|private|internal|hidden|unlisted|unpublished|deadlines?|news|posts?|blog|announcements?|templates?|examples?)$/i;

/** Returns the paths that lead to lists of maps, which may have no dates. */
export function findLists(value: Value, path = ''): RowsPath[] {
  if (value.kind === 'mapping')
    return [...value.entries].flatMap(([key, child]) => findLists(child, joinPath(path, key)));
  const rows = value.kind === 'list' ? (selectRows(value, '') ?? []) : [];
  return rows.length === 0 ? [] : [{ path, count: rows.length }];
}

/** Makes one path of the paths under several keys, such as years, or upcoming and past. */
function joinAlike(children: readonly (readonly RowsPath[])[]): RowsPath[] {
  const paths = children.flat();
  const isEach = paths.length > 1 && children.every(({ length }) => length === 1);
  const [first = [], ...more] = paths.map(({ path }) => path.split('.'));
  const areAlike = more.every(({ length }) => length === first.length);
  if (!isEach || !areAlike) return paths;
  const common = first.map((part, place) => {
    const isSame = more.every((parts) => parts[place] === part);
    return isSame ? part : '*';
  });
  return [
    {
      path: common.join('.'),
      count: paths.reduce((sum, { count }) => sum + count, 0),
      parts: paths.flatMap((inner) => inner.parts ?? [inner]),
    },
  ];
}

/** Returns the path to dated rows, or to the list in each of them if only its entries have titles. */
function withInner(path: string, rows: readonly SelectedRow[]): RowsPath {
  const outer = { path, count: rows.length };
  if (rows.some(hasTitle)) return outer;
  for (const [key, list] of rows[0]?.value.entries ?? []) {
    if (list.kind !== 'list') continue;
    const inner = rows.flatMap(({ value }) => selectRows(value, key) ?? []);
    if (!inner.some(hasTitle) || !inner.some(hasTime)) continue;
    const innerPath = joinPath(path || '*', key);
    return { path: innerPath, count: inner.length };
  }
  return outer;
}

/** Returns the texts of a row by their paths, but not those in its lists. */
function textsOf({ value }: SelectedRow) {
  const texts = [...flatten(value, { cells: maxTexts })];
  return texts.filter(([path]) => !/\.\d+\./.test(path));
}

/** Whether a row has a text under a key for titles. */
function hasTitle(row: SelectedRow): boolean {
  return textsOf(row).some(([path]) => titleNames.has(plainName(path)));
}

/** Whether a row has a date or a time of day. */
function hasTime(row: SelectedRow): boolean {
  const texts = textsOf(row).map(([, cell]) => cell.text);
  return texts.some((text) => isDateCell(text) || readTime(text) !== null);
}

/** Whether half of some rows have a date, or a value under a key for one. */
function isDated(rows: readonly SelectedRow[]): boolean {
  const sample = rows.slice(0, 50);
  const dated = sample.filter((row) => textsOf(row).some(isDate));
  return dated.length > 0 && dated.length * 2 >= sample.length;
}

function isDate([path, cell]: readonly [path: string, cell: Scalar]): boolean {
  const name = plainName(path);
  // The day of a week is no date.
  if (startNames.has(name) && name !== 'day') return cell.text !== '';
  return !path.includes('.') && isDateCell(cell.text);
}

const titles = columnWords.columns.find(({ field }) => field === 'title');
const titleNames = wordSet(titles?.names ?? '');
