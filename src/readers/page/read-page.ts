import { Budget, spanOf } from '../ics/recurrence.ts';
import {
  FoundError,
  valuesLeftOut,
  type FoundProblem,
  type TextFinding,
  type ValueLeftOut,
} from '../schema/finding.ts';
import { contactsIn, withoutContacts } from '../contacts.ts';
import { parseJson } from '../schema/json-parse.ts';
import { noReading, refuse, type SourceFile, type TextDrafts } from '../schema/reading.ts';
import type { TableColumn } from '../table/columns.ts';
import { readRows } from '../table/read-table.ts';
import type { Row, Rows } from '../table/rows.ts';
import { cellsOf, type Unread } from './event-cells.ts';
import { Graph, type PageEvent } from './graph.ts';
import { readSchedules } from './schedule.ts';
import { scriptsIn } from './scripts.ts';
import { readTimes, type TimeCells } from './times.ts';
import { list, maxValues, textOf, writtenOf, type Cells } from './values.ts';

/** The most events of a page, and the most references between its objects. */
const maxEvents = 100_000;
const maxReferences = 10_000;

/**
 * Reads the events of a web page: those that its scripts of JSON-LD describe as an Event of
 * schema.org, or one of its subtypes. They are read as the rows of a table, so that what cannot be
 * read is left out with a warning.
 */
export function readPage(html: string, file: SourceFile): TextDrafts {
  const graph = new Graph(file.address ?? null);
  const scripts = scriptsIn(html);
  const unreadable = scripts.filter(({ text, offset }) => !addScript(graph, text, offset));
  const warnings = unreadable.map(({ offset }) => findingAt(offset, { code: 'bad-json-ld' }));
  if (graph.references > maxReferences)
    return noReading(
      findingAt(0, {
        code: 'too-many-references',
        most: maxReferences,
      }),
    );
  const events = graph.events();
  if (events.length === 0) {
    const finding = findingAt(0, {
      code: 'no-json-ld',
      scripts: scripts.length,
    });
    // A venue may have no events just now.
    const isReadable = unreadable.length < scripts.length;
    return isReadable ? emptyReading(file, finding) : noReading(finding, ...warnings);
  }
  const read = readEvents(events, graph, file);
  if ('problem' in read) return noReading(read);
  const reading = readRows(read.table, {
    ...file,
    mapping: mappingOf(file),
  });
  warnings.push(...read.warnings);
  return {
    ...reading,
    report: (results) => {
      const rest = reading.report?.(results) ?? {
        findings: [],
        warnings: [],
      };
      // If no event can be read, the warnings may say why.
      const isEmpty = rest.findings.length > 0;
      return {
        findings: isEmpty ? [...warnings, ...rest.findings] : [],
        warnings: isEmpty ? [] : [...warnings, ...rest.warnings],
      };
    },
  };
}

function findingAt(offset: number, problem: FoundProblem): TextFinding {
  return {
    problem,
    offset,
  };
}

function mappingOf(file: SourceFile) {
  return {
    ...file.mapping,
    subject: file.name ?? file.stem,
    dates: 'iso',
    skip: true,
  } as const;
}

function emptyReading({ stem, url, name }: SourceFile, warning: TextFinding): TextDrafts {
  const spot = { offset: 0 };
  const source = {
    name: name ?? stem,
    ...(url !== null && { url }),
    events: [],
  };
  const empty = {
    id: stem,
    source,
    spot,
    spotOf: () => spot,
    policy: refuse,
  };
  return {
    ...noReading(),
    drafts: [empty],
    warnings: [warning],
  };
}

/** Adds the objects of a script. Returns whether it is JSON. */
function addScript(graph: Graph, text: string, offset: number): boolean {
  const value = parseJson(text) ?? parseJson(strictJson(text));
  graph.add(value, offset);
  return value !== undefined;
}

/** Many systems write the line breaks of a text as they are, or a comma after the last value. */
function strictJson(script: string): string {
  const text = unwrapped(script).replace(/\p{Cc}+/gu, ' ');
  return text.replace(stringOrLastComma, (_, string = '') => string as string);
}

const stringOrLastComma = /("(?:[^"\\]|\\[^])*(?:"|$))|,(?=\s*[}\]])|;\s*$/g;

/** Removes the comment with which some pages hide a script from old browsers. */
function unwrapped(script: string): string {
  const text = script.trim();
  const start =
    /^(?:\/[/*]\s*)?(?:<!--|<!\[CDATA\[)(?:\s*\*\/)?/.exec(text.slice(0, 40))?.[0] ?? '';
  const end = /(?:\/[/*]\s*)?(?:-->|\]\]>)(?:\s*\*\/)?$/.exec(text.slice(-40))?.[0] ?? '';
  return text.slice(start.length, text.length - end.length);
}

const columns = (
  'subject_id title starts ends zone url status attendance organizer image location address country latitude ' +
  'longitude description source'
).split(' ') as TableColumn[];

/** Reads the events of a page as rows. Returns a problem if that costs too much. */
function readEvents(
  events: readonly PageEvent[],
  graph: Graph,
  file: SourceFile,
): { readonly table: Rows; readonly warnings: readonly TextFinding[] } | TextFinding {
  const body: Row[] = [];
  const offsets: number[] = [];
  const warnings: TextFinding[] = [];
  const leftOut: ValueLeftOut[] = [];
  const zone = file.mapping?.zone ?? file.genre.zone ?? null;
  const limits = {
    span: spanOf(file),
    budget: new Budget(),
    zone,
  };
  for (const event of events) {
    const { offset } = event;
    const unread: Unread[] = [];
    const cells = cellsOf(event, graph, file, unread);
    leftOut.push(...removeContacts(cells).map((name) => ({ name, offset })));
    for (const value of unread)
      warnings.push(findingAt(offset, { code: 'unknown-term', ...value }));
    let dates: readonly TimeCells[] | null = null;
    try {
      dates = readSchedules(event, graph, limits);
    } catch (error) {
      if (error instanceof FoundError) return findingAt(offset, error.problem);
      const problem = {
        code: 'schedule-left-out',
        title: cells.title ?? '',
        reason: (error as Error).message,
      } as const;
      warnings.push(findingAt(offset, problem));
    }
    dates ??= datesOf(event, cells.status ?? '', zone, leftOut);
    for (const { starts, ends, unread: name, zone: ownZone = '' } of dates) {
      if (name !== null) leftOut.push({ name, offset });
      const row: Cells = {
        ...cells,
        subject_id: file.stem,
        starts,
        ends,
        zone: ownZone,
      };
      body.push({ cells: columns.map((column) => row[column] ?? '') });
      offsets.push(offset);
    }
    if (body.length > maxEvents) return findingAt(0, { code: 'too-many-events', most: maxEvents });
  }
  const table = {
    names: columns,
    above: 0,
    body,
    spotOf: (row: number | null) => ({ offset: offsets[row ?? 0] ?? 0 }),
  };
  return {
    table,
    warnings: [...warnings, ...valuesLeftOut(leftOut)],
  };
}

/** Takes contacts out of the texts of an event, and returns what it took out. */
function removeContacts(cells: Cells): string[] {
  return (['title', 'location', 'address', 'organizer'] as const).flatMap((key) => {
    const text = cells[key] ?? '';
    cells[key] = withoutContacts(text);
    return cells[key] === text ? [] : [`${key} with ${contactsIn(text)}`];
  });
}

/** Returns the dates of an event. One with several starts has an end for each of them, or none. */
function datesOf(
  { node, offset }: PageEvent,
  status: string,
  zone: string | null,
  leftOut: ValueLeftOut[],
): TimeCells[] {
  // An event that does not take place has its date there, if it has no new one.
  const isUndated = status !== '' && textOf(node['startDate']) === '';
  const key = isUndated ? 'previousStartDate' : 'startDate';
  const starts = list(node[key]).slice(0, maxValues).map(writtenOf);
  const ends = list(node['endDate']).slice(0, maxValues).map(writtenOf);
  const isEach = ends.length === Math.max(1, starts.length);
  if (!isEach && ends.length > 0) leftOut.push({ name: 'endDate', offset });
  const [startTime = '', endTime = ''] = ['startTime', 'endTime'].map((name) => {
    const text = writtenOf(node[name]);
    const [, time = ''] = clock.exec(text) ?? [];
    if (time === '' && text !== '') leftOut.push({ name, offset });
    return time;
  });
  return (starts.length === 0 ? [''] : starts).map((date, index) => {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(date);
    const times = {
      start: isDay && startTime !== '' ? `${date}T${startTime}` : date,
      end: (isEach ? ends[index] : '') || endTime,
      duration: writtenOf(node['duration']),
    };
    return readTimes(times, zone);
  });
}

const clock = /^T?(\d\d:\d\d)(?::\d\d)?$/;
