import { groupBy } from '../catalogue/group.ts';
import type { Problem } from '../problem/problem.ts';
import type { Change } from './change-log.ts';
import { subjectKey, type GenreChanges } from './comparison.ts';

/** A subject or a genre that is gone, and its probable replacement. */
interface Rename {
  readonly old: string;
  readonly next: string;
}

/**
 * Returns a hint for each genre and subject that was probably renamed: one is gone, and one with the same names, or with
 * events of the same titles at the same times, is new.
 *
 * @param genres the ids of the new genres
 */
export function renameHints(found: GenreChanges, genres: ReadonlySet<string>): Problem[] {
  const subjects = guessRenames(found);
  const byGenre = groupBy(subjects, ({ old }) => genreIn(old));
  const renamedGenres = [...byGenre].flatMap(([old, renames]): Rename[] => {
    const next = new Set(renames.map((one) => genreIn(one.next)));
    const isWhole = renames.every((one) => one.old.slice(old.length) === one.next.slice(genreIn(one.next).length));
    return genres.has(old) || next.size !== 1 || !isWhole ? [] : [{ old, next: [...next].join() }];
  });
  const whole = new Set(renamedGenres.map(({ old }) => old));
  const left = subjects.filter(({ old }) => !whole.has(genreIn(old)));
  return [
    ...renamedGenres.map(({ old, next }): Problem => hint('genre', old, next, null)),
    ...left.map(({ old, next }): Problem => hint('subject', old, next, found.newSubjects.get(next) ?? null)),
  ];
}

function hint(what: 'genre' | 'subject', old: string, next: string, path: string | null): Problem {
  const isTable = path !== null && !path.endsWith('.json');
  return { code: 'perhaps-renamed', place: null, what, old, new: next, isTable };
}

/** Pairs each subject that is gone with the first new one that has its name, or the same titles at the same times. */
function guessRenames({ changes, goneSubjects, newSubjects }: GenreChanges): Rename[] {
  const gone = groupBy(changes.filter(isKind('removed')), subjectKey);
  const added = groupBy(changes.filter(isKind('added')), subjectKey);
  const open = new Set([...added.keys()].filter((key) => newSubjects.has(key) && !gone.has(key)));
  return goneSubjects.flatMap((old): Rename[] => {
    const lost = gone.get(old) ?? [];
    const next = [...open].find((key) => isAlike(lost, added.get(key) ?? []));
    if (next === undefined) return [];
    open.delete(next);
    return [{ old, next }];
  });
}

function isKind(kind: Change['kind']) {
  return (change: Change): boolean => change.kind === kind;
}

function isAlike(lost: readonly Change[], added: readonly Change[]): boolean {
  if (lost.length === 0 || added.length === 0) return false;
  const startOf = ({ before, after }: Change): string => {
    const fields = before ?? after;
    return String(fields?.['starts_at'] ?? fields?.['period']);
  };
  const textOf = (changes: readonly Change[]): string => changes.map(startOf).sort().join(' ');
  return lost[0]?.subject.name === added[0]?.subject.name || textOf(lost) === textOf(added);
}

function genreIn(subject: string): string {
  return subject.slice(0, subject.indexOf('/'));
}
