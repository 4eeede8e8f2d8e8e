import { maxEvents, nextEvents } from '../../api/paths.ts';
import type { Content } from '../../api/site-file.ts';
import type { ScopeEvents } from '../event-texts.ts';

/** Renders a list of events (specification 4). `total` includes the events beyond the limit. */
export function renderJson(events: ScopeEvents): Content {
  return renderList(events, maxEvents);
}

/** Renders the first events of the same list. */
export function renderNext(events: ScopeEvents): Content {
  return renderList(events, nextEvents);
}

function renderList({ filters, total, upcoming }: ScopeEvents, limit: number): Content {
  const { genre = null, category = null } = filters;
  const head = `{"filters":${JSON.stringify({ genre, category })},"limit":${limit},"total":${total},"events":[`;
  const parts = [head];
  for (const { json } of upcoming.slice(0, limit)) {
    if (parts.length > 1) parts.push(',');
    parts.push(json);
  }
  parts.push(']}\n');
  return parts;
}
