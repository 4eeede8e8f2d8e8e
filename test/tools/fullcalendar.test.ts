import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildSite } from '../setup/build-site.ts';
import { tempFolder } from '../setup/folders.ts';
import { listen } from '../setup/host.ts';

/** What FullCalendar's plugin for iCalendar hands on to the calendar. */
interface RawEvent {
  readonly title: string;
  readonly start: string;
  readonly [key: string]: unknown;
}

interface Source {
  readonly fetch: (
    question: object,
    succeed: (answer: { rawEvents: RawEvent[] }) => void,
    fail: (error: unknown) => void,
  ) => void;
}

/** Loads the plugin as pages do, in one bundle with the library that it needs. */
async function loadPlugin(): Promise<{ readonly eventSourceDefs: readonly Source[] }> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { default } from '@fullcalendar/icalendar'",
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const file = join(tempFolder(), 'plugin.mjs');
  writeFileSync(file, outputFiles[0]?.contents ?? '');
  const bundle = (await import(file)) as { default: { eventSourceDefs: Source[] } };
  return bundle.default;
}

test('FullCalendar, which hands on no status, shows a cancelled event as such', async () => {
  const time = { starts: '2027-03-04T19:30', zone: 'Europe/Berlin' };
  const events = { Faust: time, Tosca: { ...time, status: 'cancelled' } };
  const site = await buildSite({ 'music/stage/opera': events }, '2026-11-20T12:17:00Z');
  const calendar = readFileSync(join(site, 'api/v1/events.ics'));
  const { url, close } = await listen((_request, response) => response.end(calendar));
  onTestFinished(close);

  const [source] = (await loadPlugin()).eventSourceDefs;
  const range = { start: new Date('2027-03-01'), end: new Date('2027-04-01') };
  const question = { eventSource: { meta: { url, format: 'ics' } }, range };
  const answer = await new Promise<{ rawEvents: RawEvent[] }>((succeed, fail) => {
    source?.fetch(question, succeed, fail);
  });
  const titles = answer.rawEvents.map(({ title }) => title);
  expect(titles.toSorted()).toEqual(['Cancelled: opera: Tosca', 'opera: Faust']);
  expect(answer.rawEvents.flatMap(Object.keys)).not.toContain('status');
});
