import { listLimit, nextEvents } from '../api/paths.ts';
import { publishedFilters, type Filters } from '../api/scopes.ts';
import type { Content } from '../api/site-file.ts';
import type { ScopeEvents } from './event-texts.ts';

/** Renders a list of events (specification 4). */
export function renderJson({ filters, totals, upcoming }: ScopeEvents): Content {
  return renderList('events', filters, { limit: listLimit, total: totals.upcoming }, upcoming);
}

/** Renders the first events of the same list. */
export function renderNext({ filters, totals, upcoming }: ScopeEvents): Content {
  return renderList('events', filters, { limit: nextEvents, total: totals.upcoming }, upcoming);
}

/** Renders the events under way when the site was built, those that are over first. */
export function renderNow({ filters, totals, underWay }: ScopeEvents): Content {
  return renderList('events', filters, { limit: listLimit, total: totals.underWay }, underWay);
}

/** Renders the cancelled events, in order of their start. */
export function renderCancelled({ filters, totals, cancelled }: ScopeEvents): Content {
  return renderList('events', filters, { limit: listLimit, total: totals.cancelled }, cancelled);
}

/** Renders the announcements, those whose periods end first. */
export function renderAnnounced({ filters, totals, announced }: ScopeEvents): Content {
  return renderList('announced', filters, { limit: listLimit, total: totals.announced }, announced);
}

/** Renders the first records of a list in the envelope of all lists. `total` includes the records beyond the limit. */
function renderList(
  name: string,
  filters: Filters,
  { limit, total }: { readonly limit: number; readonly total: number },
  records: readonly { readonly json: string }[],
): Content {
  const head = `{"filters":${JSON.stringify(publishedFilters(filters))},"limit":${limit},"total":${total},"${name}":[`;
  const parts = [head];
  for (const { json } of records.slice(0, limit)) {
    if (parts.length > 1) parts.push(',');
    parts.push(json);
  }
  parts.push(']}\n');
  return parts;
}
