import { groupBy } from '../catalogue/group.ts';
import type { SubjectOrigin } from '../catalogue/model.ts';
import type { Problem } from '../problem/problem.ts';
import type { Change } from './difference.ts';
import { subjectKey, type GenreChanges } from './comparison.ts';

/**
 * Returns a hint for each genre and subject that was probably renamed: one is gone, and one with
 * the same names, or with events of the same titles at the same times, is new.
 *
 * @param genres the ids of the new genres
 */
export function renameHints(comparison: GenreChanges, genres: ReadonlySet<string>): Problem[] {
  const subjects = guessRenames(comparison);
  const hints = new Map<string, Problem>();
  for (const [old, renames] of groupBy(subjects, ({ old: key }) => genreIn(key))) {
    const next = genreIn(renames[0]?.next ?? '');
    const isWhole = renames.every((rename) => rename.next === next + rename.old.slice(old.length));
    if (!genres.has(old) && isWhole) hints.set(old, hint('genre', old, next, 'genre'));
  }
  for (const { old, next } of subjects)
    if (!hints.has(genreIn(old)))
      hints.set(old, hint('subject', old, next, comparison.newSubjects.get(next) ?? 'file'));
  return [...hints.values()];
}

function hint(
  what: 'genre' | 'subject',
  old: string,
  next: string,
  origin: SubjectOrigin | 'genre',
): Problem {
  return {
    code: 'perhaps-renamed',
    place: null,
    what,
    old,
    new: next,
    origin,
  };
}

/** Pairs each subject that is gone with the first new one that has its name, or the same times. */
function guessRenames({ changes, goneSubjects, newSubjects }: GenreChanges) {
  const bySubject = (kind: Change['kind']) =>
    groupBy(
      changes.filter((change) => change.kind === kind),
      subjectKey,
    );
  const removals = bySubject('removed');
  const additions = bySubject('added');
  const open = new Set(
    [...additions.keys()].filter((key) => newSubjects.has(key) && !removals.has(key)),
  );
  return goneSubjects.flatMap((old) => {
    const next = [...open].find((key) => isAlike(removals.get(old), additions.get(key)));
    if (next === undefined) return [];
    open.delete(next);
    return [{ old, next }];
  });
}

function isAlike(removals: readonly Change[] = [], additions: readonly Change[] = []): boolean {
  if (removals.length === 0 || additions.length === 0) return false;
  const startOf = (fields: Change['before']) => String(fields?.['starts_at'] ?? fields?.['period']);
  const startsOf = (changes: readonly Change[]) =>
    changes
      .map(({ before, after }) => startOf(before ?? after))
      .sort()
      .join(' ');
  return (
    removals[0]?.subject.name === additions[0]?.subject.name ||
    startsOf(removals) === startsOf(additions)
  );
}

function genreIn(subject: string): string {
  return subject.slice(0, subject.indexOf('/'));
}
