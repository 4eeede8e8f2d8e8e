import { maxEvents } from '../api/paths.ts';
import type { Content } from '../api/site-file.ts';
import type { ScopeEvents } from './event-texts.ts';
import { renderList } from './json.ts';

/** Renders the announcements, those whose periods end first. */
export function renderAnnounced({ filters, totals, announced }: ScopeEvents): Content {
  return renderList('announced', filters, { limit: maxEvents, total: totals.announced }, announced);
}
