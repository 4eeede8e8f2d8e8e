import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { readFolder, readYaml } from '../setup/readers.ts';
import { placeAll, type SourceText } from '../../src/readers/schema/finding.ts';
import type { TextReading } from '../../src/readers/schema/reading.ts';
import type { PartialEvent, TableMapping } from '../../src/readers/schema/source-types.ts';
import { decode } from '../../src/source/text.ts';

/*
 * The files that are passed over are only counted (`passed-over`).
 * test/fixtures/rows/{case}/ has a file or folder as static sites have it, the mapping that says
 * what a person would, and the events that it means, written by hand.
 */
const folder = join(import.meta.dirname, '../fixtures/rows');
const cases = readdirSync(folder).sort();

type Expected =
  | (Record<'title' | 'starts', string> &
      Record<'ends' | 'location', string | null> & {
        zone?: string | null;
        status?: string;
        id?: string;
      })
  | { refused: string; file: string; line: number }
  | { warning: string; file: string; line: number };

const genre = { id: 'c-g', name: 'G', category: 'c' };

function textOf(path: string): string {
  const text = decode(readFileSync(path), () => path);
  if (typeof text !== 'string') throw new Error(`${path} is not UTF-8`);
  return text;
}

/** The files of a case, by their paths in it. */
function filesOf(name: string): string[] {
  const entries = readdirSync(join(folder, name), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return paths
    .map((path) => path.slice(join(folder, name).length + 1))
    .filter((path) => path !== 'mapping.json' && path !== 'expected.json')
    .sort();
}

/** Reads a case once for each of its mappings. Problems show the paths in the case. */
function readCase(name: string) {
  const mapping = JSON.parse(textOf(join(folder, name, 'mapping.json'))) as
    | TableMapping
    | TableMapping[];
  const paths = filesOf(name);
  const [path = ''] = paths;
  const isFile = /\.ya?ml$/.test(path);
  return [mapping].flat().map((one) => {
    const file = {
      stem: basename(path).replace(/\..*/, ''),
      genre,
      now: 0,
      name: null,
      url: null,
      mapping: one,
    };
    if (isFile) {
      const text = textOf(join(folder, name, path));
      return placed(readYaml(text, file), text, path);
    }
    const root = path
      .split('/')
      .slice(0, name.startsWith('09') ? 1 : -1)
      .join('/');
    const top = /^(.*?(?:events|meetups))(?:\/|$)/.exec(root)?.[1] ?? root;
    const files = paths.map((inner) => ({
      file: inner.slice(top.length + 1),
      text: textOf(join(folder, name, inner)),
    }));
    return placed(readFolder(files, { ...file, stem: basename(top) }), files, top);
  });
}

function placed(
  { subjects, findings, warnings }: TextReading,
  text: string | readonly SourceText[],
  path: string,
) {
  return {
    events: subjects.flatMap(({ source }) => source.events ?? []),
    problems: placeAll(findings, text, path),
    warnings: placeAll(warnings, text, path),
  };
}

/** An event in the form of expected.json: what the clock says at the place, and its zone. */
function described(event: PartialEvent, keys: ReadonlySet<string>) {
  const { title, starts = '', ends, location, zone, status, cancelled, id } = event;
  const [, clock = '', offset = null] =
    /^(.*?)(Z|[+-]\d\d:\d\d)?$/.exec(starts.length > 10 ? starts : '') ?? [];
  const place = typeof location === 'object' ? location?.name : location;
  const said: Record<string, unknown> = {
    title,
    starts: clock === '' ? starts : clock,
    ends: ends?.replace(/(?<=T.*)(?:Z|[+-]\d\d:\d\d)$/, '') ?? null,
    location: place ?? null,
    zone: offset ?? zone ?? null,
    status: cancelled === true ? 'cancelled' : status,
    id,
  };
  // A bare time of day is on the day of the start.
  if (/^\d\d:\d\d$/.test(String(said['ends'])))
    said['ends'] = `${starts.slice(0, 10)}T${String(said['ends'])}`;
  return Object.fromEntries(Object.entries(said).filter(([key]) => keys.has(key)));
}

/** Returns the events of a reading in the order of expected.json, which knows no order of files. */
function inOrder(events: readonly PartialEvent[], expected: readonly Expected[]): PartialEvent[] {
  const titles = expected.flatMap((one) => ('title' in one ? [one.title] : []));
  return events.toSorted((a, b) => titles.indexOf(a.title ?? '') - titles.indexOf(b.title ?? ''));
}

test.each(cases)('reads %s as its author means it', (name) => {
  const expected = JSON.parse(textOf(join(folder, name, 'expected.json'))) as Expected[];
  const readings = readCase(name);
  // A clock time without any zone is asked for.
  const problems = readings.flatMap((reading) => reading.problems);
  expect(problems.filter(({ code }) => code !== 'zone-missing')).toEqual([]);
  const events = expected.filter((one) => 'title' in one);
  const read = readings.flatMap((reading) => inOrder(reading.events, events));
  expect(
    read.map((event, index) => described(event, new Set(Object.keys(events[index] ?? {})))),
  ).toEqual(events);
  const codes = { '06': 'repeated-key', '09': 'other-day' } as const;
  const code = codes[name.slice(0, 2) as keyof typeof codes] ?? 'no-day';
  const notes = expected.flatMap((one) =>
    'title' in one ? [] : [`${one.file}:${one.line} ${code}`],
  );
  const warned = new Set(
    readings.flatMap(({ warnings }) =>
      warnings.map(({ place, code: found }) => `${place?.file}:${place?.line} ${found}`),
    ),
  );
  expect([...warned].sort()).toEqual(notes.sort());
});
