import { maxEvents, nextEvents, type Filters } from '../api/paths.ts';
import type { Content } from '../api/site-file.ts';
import type { ScopeEvents } from './event-texts.ts';

/** Renders a list of events (specification 4). */
export function renderJson({ filters, totals, upcoming }: ScopeEvents): Content {
  return renderList('events', filters, { limit: maxEvents, total: totals.upcoming }, upcoming);
}

/** Renders the first events of the same list. */
export function renderNext({ filters, totals, upcoming }: ScopeEvents): Content {
  return renderList('events', filters, { limit: nextEvents, total: totals.upcoming }, upcoming);
}

/** Renders the first records of a list in the envelope of all lists. `total` includes the records beyond the limit. */
export function renderList(
  name: string,
  { genre = null, category = null }: Filters,
  { limit, total }: { readonly limit: number; readonly total: number },
  records: readonly { readonly json: string }[],
): Content {
  const head = `{"filters":${JSON.stringify({ genre, category })},"limit":${limit},"total":${total},"${name}":[`;
  const parts = [head];
  for (const { json } of records.slice(0, limit)) {
    if (parts.length > 1) parts.push(',');
    parts.push(json);
  }
  parts.push(']}\n');
  return parts;
}
