import { maxEvents } from '../api/paths.ts';
import type { Content } from '../api/site-file.ts';
import type { ScopeEvents } from './event-texts.ts';
import { renderList } from './json.ts';

/** Renders the events under way when the site was built, ordered by end. */
export function renderNow({ filters, totals, underWay }: ScopeEvents): Content {
  return renderList('events', filters, { limit: maxEvents, total: totals.underWay }, underWay);
}
