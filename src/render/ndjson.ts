import { frame } from '../api/formats/ndjson.ts';
import type { JoinedRenderer } from './joined.ts';

/** Renders one record on each line. */
export const ndjson: JoinedRenderer = {
  from: 'genres',
  frame,
  *render({ batches, jsonOf }) {
    for (const batch of batches) yield batch.map(({ record }) => `${jsonOf(record)}\n`);
  },
};
