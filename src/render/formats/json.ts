import { maxEvents } from '../../api/paths.ts';
import type { Content } from '../../api/site-file.ts';
import type { ScopeEvents } from '../event-texts.ts';

/** Renders a list of events (specification 4). `total` includes the events beyond the limit. */
export function renderJson({ filters, total, upcoming }: ScopeEvents): Content {
  const { genre = null, category = null } = filters;
  const head = `{"filters":${JSON.stringify({ genre, category })},"limit":${maxEvents},"total":${total},"events":[`;
  const parts = [head];
  for (const { json } of upcoming) {
    if (parts.length > 1) parts.push(',');
    parts.push(json);
  }
  parts.push(']}\n');
  return parts;
}
