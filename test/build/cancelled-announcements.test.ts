import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesDocument, SubjectDocument } from '../../src/api/documents.ts';
import { dataOf } from '../setup/build-site.ts';
import { lastingFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

interface Site {
  /** The lines of events.ndjson by the last parts of their ids, as state and status. */
  readonly states: Readonly<Record<string, string>>;
  readonly cancelled: readonly string[];
  readonly announced: readonly string[];
  /** The newest change of each event. */
  readonly kinds: readonly string[];
}

const cwd = lastingFolder();

async function build(now: string, status: string): Promise<Site> {
  const events = { Tour: { starts: '2027-Q4', status }, Concert: '2027-01-15' };
  writeTree(join(cwd, 'data'), dataOf({ 'music/rock/band': events }));
  const run = await runAlmanac(['build', '--now', now, '--quiet', '--accept-loss'], { cwd });
  expect(run.stderr).toBe('');
  const read = (path: string): string => readFileSync(join(cwd, 'dist/api/v1', path), 'utf8');
  const lines = read('events.ndjson')
    .split('\n')
    .filter((line) => line !== '');
  const records = lines.map(
    (line) => JSON.parse(line) as Record<'id' | 'state' | 'status', string>,
  );
  const nameOf = (id: string): string => id.split('/')[2] ?? '';
  const subject = JSON.parse(read('genre/rock-music/subject/band.json')) as SubjectDocument;
  const { announced } = JSON.parse(read('announced.json')) as { announced: { id: string }[] };
  const { changes } = JSON.parse(read('changes.json')) as ChangesDocument;
  return {
    states: Object.fromEntries(
      records.map(({ id, state, status: said }) => [nameOf(id), `${state} ${said}`]),
    ),
    cancelled: subject.cancelled.map(({ id }) => nameOf(id)),
    announced: announced.map(({ id }) => nameOf(id)),
    kinds: changes.filter(({ at }) => Date.parse(at) === Date.parse(now)).map(({ kind }) => kind),
  };
}

test('a cancelled announcement is in events.ndjson and its subject until its period is over', async () => {
  const concert = 'upcoming confirmed';
  expect(await build('2026-11-20T12:00:00Z', 'confirmed')).toEqual({
    states: { concert, tour: 'announced confirmed' },
    cancelled: [],
    announced: ['tour'],
    kinds: [],
  });
  const cancelled = {
    states: { concert, tour: 'announced cancelled' },
    cancelled: ['tour'],
    announced: [],
  };
  expect(await build('2026-11-21T12:00:00Z', 'cancelled')).toEqual({
    ...cancelled,
    kinds: ['cancelled'],
  });
  // The next build tells nothing twice.
  expect(await build('2026-11-22T12:00:00Z', 'cancelled')).toEqual({ ...cancelled, kinds: [] });
  expect(await build('2026-11-23T12:00:00Z', 'confirmed')).toMatchObject({
    states: { concert, tour: 'announced confirmed' },
    kinds: ['added'],
  });
  const over = await build('2028-01-02T12:00:00Z', 'cancelled');
  expect([over.states['tour'], over.cancelled]).toEqual([undefined, []]);
});
