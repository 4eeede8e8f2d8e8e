import { hash } from 'node:crypto';
import { maxIdCharacters } from '../../catalogue/id.ts';
import { slug } from '../slug.ts';

/**
 * The id of each UID: its slug; where that is longer than an id may be, cut and with a hash behind it. UIDs that differ
 * and have the same slug all carry the hash, whichever comes first in a file.
 */
export function idsOf(uids: Iterable<string>): ReadonlyMap<string, string> {
  const bySlug = new Map<string, string[]>();
  for (const uid of new Set(uids)) {
    const id = slug(uid);
    const same = bySlug.get(id);
    if (same === undefined) bySlug.set(id, [uid]);
    else same.push(uid);
  }
  const ids = new Map<string, string>();
  for (const [id, same] of bySlug) {
    const isWhole = id !== '' && id.length <= maxIdCharacters && same.length === 1;
    for (const uid of same) ids.set(uid, isWhole ? id : hashed(id, uid));
  }
  return ids;
}

function hashed(id: string, uid: string): string {
  const digest = hash('sha256', uid).slice(0, 8);
  const start = id.slice(0, maxIdCharacters).replace(/-$/, '');
  return start === '' ? digest : `${start}-${digest}`;
}
