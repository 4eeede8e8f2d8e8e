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
    const details = {
      now: isoInstant(now),
      time: index.catalogue.last_sync,
      site,
      events: unexplained,
    };
    throw problemError({ code: 'clock-ahead', ...details });
  }
  if (!isNamed) return;
  const old = {
    ...index.catalogue,
    upcoming: before + unexplained,
  };
  const vanished = losses(tallies);
  const problems = (['categories', 'genres', 'subjects', 'upcoming'] as const)
    .filter((name) => isDrop(old[name], totals[name], maxLoss))
    .map((name): Problem => {
      const what = name === 'upcoming' ? 'upcoming events' : name;
      const details = {
        before: old[name],
        after: totals[name],
        most: maxLoss,
        vanished,
      };
      return {
        code: 'site-drop',
        place: null,
        what,
        ...details,
      };
    });
  if (problems.length === 0) problems.push(...fallenGenres(tallies, maxLoss));
  if (problems.length > 0) throw new ProblemError(problems);
}

type GenreTally = readonly [id: string, Tally];

function fallenGenres(tallies: readonly GenreTally[], maxLoss: number): Problem[] {
  const problems: Problem[] = [];
  for (const [id, tally] of tallies) {
    const { before, after } = tally;
    const what = `upcoming events of ${id}`;
    const details = {
      before,
      after,
      most: maxLoss,
      vanished: [],
    };
    if (isDrop(before, after, maxLoss))
      problems.push({
        code: 'site-drop',
        place: null,
        what,
        ...details,
      });
  }
  return problems;
}

/** Names the ten genres that lost the most upcoming events. */
function losses(tallies: readonly GenreTally[]): string[] {
  const lossOf = ([, tally]: GenreTally) => tally.before - tally.after;
  const lost = tallies.filter((entry) => lossOf(entry) > 0);
  const worst = lost.sort((a, b) => lossOf(b) - lossOf(a)).slice(0, 10);
  return worst.map(describeLoss);
}

function describeLoss([id, tally]: GenreTally): string {
  return `${id} (${tally.before} to ${tally.after})`;
}

/** Returns a warning that names the genres that lost all of their upcoming events. */
export function emptiedGenres({ tallies }: GenreChanges): Problem[] {
  const emptied = [...tallies].filter(([, tally]) => tally.before > 0 && tally.after === 0);
  if (emptied.length === 0) return [];
  return [
    {
      code: 'genres-emptied',
      place: null,
      genres: emptied.map(describeLoss),
    },
  ];
}
