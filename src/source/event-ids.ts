import { hash } from 'node:crypto';
import { maxIdCharacters, slug } from '../catalogue/id.ts';
import { maxProblemsPerFile, type JsonPath, type ValueFinding } from './finding.ts';
import type { PartialEvent, PartialSubject } from './json/types.ts';

/** Checks that an event has an id that no earlier event of its subject has, and adds it to `ids` with the event's index. */
export function checkId(
  id: string,
  event: PartialEvent,
  index: number,
  ids: Map<string, number>,
  findings: ValueFinding[],
): void {
  const earlier = ids.get(id);
  if (earlier === undefined && id !== '') {
    ids.set(id, index);
    return;
  }
  // An invalid id is already reported.
  if (event.id === undefined && 'id' in event) return;
  const { title = '' } = event;
  const path: JsonPath = ['events', index, event.id === undefined ? 'title' : 'id'];
  if (earlier === undefined) findings.push({ problem: { code: 'empty-slug', title }, path });
  else {
    const problem = { code: 'duplicate-id', id, proposal: null } as const;
    findings.push({ problem, path, first: ['events', earlier] });
  }
}

/** Proposes a free id for each event whose id is taken: its title and start, with a number if that is taken too. */
export function proposeIds(
  findings: readonly ValueFinding[],
  { events = [] }: PartialSubject,
  ids: ReadonlyMap<string, number>,
): ValueFinding[] {
  const taken = new Set(ids.keys());
  return findings.map((finding, index) => {
    const { problem, path } = finding;
    // No more are reported, and each looks at all numbers before it.
    if (problem.code !== 'duplicate-id' || index > maxProblemsPerFile) return finding;
    const { title = '', starts = '' } = events[Number(path[1])] ?? {};
    const start = slug(starts);
    let proposal = withEnding(title, start || '2');
    for (let number = 2; taken.has(proposal); number++) {
      proposal = withEnding(title, start === '' ? `${number}` : `${start}-${number}`);
    }
    taken.add(proposal);
    return { ...finding, problem: { ...problem, proposal } };
  });
}

/** Returns the slug of a title followed by an ending, cut to the length of an id. */
export function withEnding(title: string, ending: string): string {
  const most = maxIdCharacters - ending.length - 1;
  return `${slug(title).slice(0, most).replace(/-$/, '')}-${ending}`.replace(/^-+/, '');
}

/** Shortens an id from a calendar that is too long for a JSON file. A hash keeps it unique. */
export function writableId(id: string): string {
  if (id.length <= maxIdCharacters) return id;
  const ending = shortHash(id);
  return `${id.slice(0, maxIdCharacters - ending.length - 1).replace(/-$/, '')}-${ending}`;
}

/** Returns eight digits that tell a text from others. */
export function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 8);
}
