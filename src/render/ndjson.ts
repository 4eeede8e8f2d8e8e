import type { Content } from '../api/site-file.ts';
import type { ScopeEvents } from './event-texts.ts';
import { frame } from '../api/formats/ndjson.ts';
import type { JoinedRenderer } from './joined.ts';

export const ndjson: JoinedRenderer = {
  from: 'genres',
  frame,
  *render({ batches, jsonOf }) {
    for (const batch of batches) yield batch.map(({ record }) => `${jsonOf(record)}\n`);
  },
};

/** Renders the past events, those that were over last first, one record on each line. */
export function renderPast({ past }: ScopeEvents): Content {
  return past.map(({ json }) => `${json}\n`);
}
