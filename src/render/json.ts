import { listLimit } from '../api/paths.ts';
import { publishedFilters } from '../api/scopes.ts';
import type { Content } from '../api/site-file.ts';
import type { ScopeEvents } from './event-texts.ts';

/** Returns the renderer of a list, with the first of its records. `total` includes those beyond the limit. */
export function firstOf(list: 'upcoming' | 'underWay' | 'cancelled' | 'announced', limit = listLimit) {
  const name = list === 'announced' ? list : 'events';
  return ({ filters, totals, [list]: records }: ScopeEvents): Content => {
    const head = `{"filters":${JSON.stringify(publishedFilters(filters))},"limit":${limit},"total":${totals[list]}`;
    const parts = [`${head},"${name}":[`];
    for (const { json } of records.slice(0, limit)) {
      if (parts.length > 1) parts.push(',');
      parts.push(json);
    }
    parts.push(']}\n');
    return parts;
  };
}
