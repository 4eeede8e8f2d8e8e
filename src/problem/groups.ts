import { problemMessage, type Problem, type ProblemCode } from './problem.ts';
import { count } from './text.ts';

/** A fix that resolves many problems of one kind, and the value they share. */
const cures: Readonly<Partial<Record<ProblemCode, string>>> = {
  'zone-missing':
    'found clock times without a zone; "zone" in service.json, genre.json or their file gives all of them one',
};

/** A group of more than this is shortened to its first {@link maxShown}. */
export const maxWhole = 5;
export const maxShown = 3;

/**
 * Groups problems with the same sentence, or with a cure that ends all of them. Returns the problems to show in full,
 * and a line for each group that leaves some out.
 */
export function groupProblems(problems: readonly Problem[]) {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const key = cures[problem.code] ?? problemMessage(problem);
    const group = groups.get(key) ?? [];
    group.push(problem);
    groups.set(key, group);
  }
  const hidden = new Set<Problem>();
  const others = [...groups].flatMap(([sentence, group]) => {
    if (group.length <= maxWhole) return [];
    for (const problem of group.slice(maxShown)) hidden.add(problem);
    return `${count(group.length - maxShown)} more: ${sentence}`;
  });
  return { shown: hidden.size === 0 ? problems : problems.filter((problem) => !hidden.has(problem)), others };
}
