import { hash } from 'node:crypto';
import { maxIdCharacters, slug } from '../../catalogue/id.ts';
import type { JsonPath, ValueFinding } from './finding.ts';
import type { PartialEvent } from './source-types.ts';

/** The events of a subject whose ids are checked. */
interface IdCheck {
  /** The index of each event, by its id. */
  readonly indexById: Map<string, number>;
  readonly findings: ValueFinding[];
}

/**
 * Checks that an event has an id that no earlier event of its subject has, and adds it to
 * `indexById`. Otherwise proposes its title and start as the id.
 */
export function checkId(
  id: string,
  event: PartialEvent,
  index: number,
  { indexById, findings }: IdCheck,
): void {
  const earlier = indexById.get(id);
  if (earlier === undefined && id !== '') {
    indexById.set(id, index);
    return;
  }
  // An invalid id is already reported.
  if (event.id === undefined && 'id' in event) return;
  const { title = '', starts = '' } = event;
  const path: JsonPath = ['events', index, event.id === undefined ? 'title' : 'id'];
  if (earlier === undefined)
    findings.push({
      problem: { code: 'empty-slug', title },
      path,
    });
  else {
    const start = slug(starts) || '2';
    const free = [withEnding(title, start), withEnding(title, `${start}-2`)].find(
      (candidate) => !indexById.has(candidate),
    );
    const problem = {
      code: 'duplicate-id',
      id,
      proposal: free ?? null,
    } as const;
    findings.push({
      problem,
      path,
      first: ['events', earlier],
    });
  }
}

/** Returns the slug of a title followed by an ending, cut to the length of an id. */
export function withEnding(title: string, ending: string): string {
  const most = maxIdCharacters - ending.length - 1;
  return `${slug(title).slice(0, most).replace(/-$/, '')}-${ending}`.replace(/^-+/, '');
}

/** Shortens an id from a calendar that is too long for a JSON file. A hash keeps it unique. */
export function writableId(id: string): string {
  return id.length <= maxIdCharacters ? id : withEnding(id, shortHash(id));
}

/** Returns a hash of a text: eight digits. */
export function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 8);
}
