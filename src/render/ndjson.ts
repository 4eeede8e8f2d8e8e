import { states, type State } from '../catalogue/state.ts';
import { inBatches, type JoinedRenderer } from './joined.ts';
import type { GenreRecords } from './records.ts';

/** Renders every event in every state, one on each line. */
export const ndjson: JoinedRenderer = {
  head: () => '',
  separator: '',
  tail: '',
  *render(content) {
    for (const state of states)
      for (const batch of inBatches(idsIn(content, state)))
        yield batch.map((id) => entryLine(content.texts.get(id) ?? '', state));
  },
};

/** Adds the state of an event to its JSON, as the last field. */
function entryLine(json: string, state: State): string {
  return `${json.slice(0, -1)},"state":"${state}"}\n`;
}

function idsIn(content: GenreRecords, state: State): string[] {
  return state === 'announced' ? content.announced.map(({ id }) => id) : content[state].map(({ record: { id } }) => id);
}
