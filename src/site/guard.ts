import { isDrop, lossRule } from '../catalogue/loss.ts';
import type { Totals } from '../catalogue/model.ts';
import { isoInstant } from '../catalogue/time/time.ts';
import { ProblemError, type Problem, problemError } from '../problem/problem.ts';
import type { GenreChanges, Tally } from './comparison.ts';
import type { Memory } from './memory.ts';

/**
 * Refuses a site that loses much of the previous one. Cancelled events do not count as lost, and
 * those that are over only as far as the time between the two builds explains it. If events could
 * not be compared, the totals of the index are.
 *
 * Throws the problem `clock-ahead` if the time of the build made much of the catalogue go by and,
 * if the user named the previous site, the problems `site-drop` if a total (specification 2.2) or
 * the upcoming events of a genre fell by more than `maxLoss` per cent.
 *
 * @param changes null if events could not be compared
 * @param now milliseconds since the Unix epoch
 */
export function guardAgainst(
  memory: Memory,
  totals: Totals,
  changes: GenreChanges | null,
  { now, maxLoss }: { readonly now: number; readonly maxLoss: number },
): void {
  const { index, isNamed, site } = memory;
  if (index === null) return;
  const tallies = [...(changes?.tallies ?? [])];
  const count = (name: keyof Tally) => tallies.reduce((sum, [, tally]) => sum + tally[name], 0);
  const before = changes === null ? index.catalogue.upcoming : count('before');
  const unexplained = count('unexplained');
  if (isDrop(before + unexplained, before, lossRule.maxLoss)) {
    throw problemError({
      code: 'clock-ahead',
      now: isoInstant(now),
      time: index.catalogue.last_sync,
      site,
      events: unexplained,
    });
  }
  if (!isNamed) return;
  const old = {
    ...index.catalogue,
    upcoming: before + unexplained,
  };
  const vanished = losses(tallies);
  const problems = (['categories', 'genres', 'subjects', 'upcoming'] as const).flatMap((name) => {
    const what = name === 'upcoming' ? 'upcoming events' : name;
    const numbers = { before: old[name], after: totals[name] };
    return dropOf(what, numbers, maxLoss, vanished);
  });
  if (problems.length === 0)
    for (const [id, tally] of tallies)
      problems.push(...dropOf(`upcoming events of ${id}`, tally, maxLoss, []));
  if (problems.length > 0) throw new ProblemError(problems);
}

/** Returns the problem `site-drop` if a number fell by more than `most` per cent. */
function dropOf(
  what: string,
  { before, after }: Pick<Tally, 'before' | 'after'>,
  most: number,
  vanished: readonly string[],
): Problem[] {
  if (!isDrop(before, after, most)) return [];
  const code = 'site-drop';
  return [{ code, place: null, what, before, after, most, vanished }];
}

type GenreTally = readonly [id: string, Tally];

/** Names the ten genres that lost the most upcoming events. */
function losses(tallies: readonly GenreTally[]): string[] {
  const lossOf = ([, tally]: GenreTally) => tally.before - tally.after;
  return tallies
    .filter((entry) => lossOf(entry) > 0)
    .sort((a, b) => lossOf(b) - lossOf(a))
    .slice(0, 10)
    .map(describeLoss);
}

function describeLoss([id, tally]: GenreTally): string {
  return `${id} (${tally.before} to ${tally.after})`;
}

/** Returns a warning that names the genres that lost all of their upcoming events. */
export function emptiedGenres({ tallies }: GenreChanges): Problem[] {
  const genres = [...tallies]
    .filter(([, tally]) => tally.before > 0 && tally.after === 0)
    .map(describeLoss);
  if (genres.length === 0) return [];
  return [{ code: 'genres-emptied', place: null, genres }];
}
