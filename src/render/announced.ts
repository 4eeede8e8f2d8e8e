import { maxEvents } from '../api/paths.ts';
import type { Content } from '../api/site-file.ts';
import type { ScopeEvents } from './event-texts.ts';
import { renderList } from './json.ts';

/** Renders the announcements, ordered by the end of their periods. */
export function renderAnnounced({ filters, totals, announced }: ScopeEvents): Content {
  return renderList('announced', filters, { limit: maxEvents, total: totals.announced }, announced);
}
