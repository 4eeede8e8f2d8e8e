import { Budget, spanOf } from '../ics/recurrence.ts';
import {
  FoundError,
  valuesLeftOut,
  type FoundProblem,
  type TextFinding,
  type ValueLeftOut,
} from '../schema/finding.ts';
import { parseJson } from '../schema/json-parse.ts';
import { noReading, refuse, type SourceFile, type TextDrafts } from '../schema/reading.ts';
import type { TableColumn } from '../table/columns.ts';
import { readRows } from '../table/read-table.ts';
import type { Row, Rows } from '../table/rows.ts';
import { cellsOf, fieldOf, type Unread } from './event-cells.ts';
import { Graph, type PageEvent } from './graph.ts';
import { readSchedule, type ScheduledTimes } from './schedule.ts';
import { scriptsIn } from './scripts.ts';
import { readTimes } from './times.ts';
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
  const reader = new EventReader(graph, file);
  for (const event of events) {
    reader.read(event);
    const { problem, rows } = reader;
    if (problem !== null) return noReading(findingAt(event.offset, problem));
    if (rows.length > maxEvents)
      return noReading(
        findingAt(0, {
          code: 'too-many-events',
          most: maxEvents,
        }),
      );
  }
  const reading = readRows(reader.table(), {
    ...file,
    mapping: mappingOf(file),
  });
  warnings.push(...reader.warnings());
  return {
    ...reading,
    report: (results) => {
      const rest = reading.report?.(results) ?? {
        findings: [],
        warnings: [],
      };
      // If no event can be read, the warnings may say why.
      if (rest.findings.length > 0)
        return {
          findings: [...warnings, ...rest.findings],
          warnings: [],
        };
      return {
        findings: [],
        warnings: [...warnings, ...rest.warnings],
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

/** Reads the events of a page as rows. */
class EventReader {
  readonly rows: Row[] = [];
  /** A problem of the whole page. */
  problem: FoundProblem | null = null;
  readonly #offsets: number[] = [];
  readonly #warnings: TextFinding[] = [];
  /** The properties that are left out of events. */
  readonly #leftOut: ValueLeftOut[] = [];
  readonly #graph: Graph;
  readonly #file: SourceFile;
  readonly #budget = new Budget();

  constructor(graph: Graph, file: SourceFile) {
    this.#graph = graph;
    this.#file = file;
  }

  table(): Rows {
    const spotOf: Rows['spotOf'] = (row) => ({ offset: this.#offsets[row ?? 0] ?? 0 });
    return {
      names: columns,
      above: 0,
      body: this.rows,
      spotOf,
    };
  }

  warnings(): TextFinding[] {
    return [...this.#warnings, ...valuesLeftOut(this.#leftOut)];
  }

  read(event: PageEvent): void {
    const unread: Unread[] = [];
    const cells = cellsOf(event, this.#graph, this.#file, unread);
    for (const value of unread)
      this.#warnings.push(
        findingAt(event.offset, {
          code: 'unknown-term',
          ...value,
        }),
      );
    const scheduled = this.#schedulesOf(event, cells.title ?? '');
    for (const times of scheduled ?? this.#datesOf(event, cells.status ?? '')) {
      const { starts, ends, unread: name } = times;
      if (name !== null) this.#leftOut.push({ name, offset: event.offset });
      const zone = 'zone' in times ? (times as ScheduledTimes).zone : '';
      this.#add({ ...cells, starts, ends, zone }, event.offset);
    }
  }

  #add(cells: Cells, offset: number): void {
    const row: Cells = {
      ...cells,
      subject_id: this.#file.stem,
    };
    this.rows.push({ cells: columns.map((column) => row[column] ?? '') });
    this.#offsets.push(offset);
  }

  /** Returns the dates of an event. One with several starts has an end for each of them, or none. */
  #datesOf({ node, offset }: PageEvent, status: string) {
    // An event that does not take place has its date there, if it has no new one.
    const key =
      status === '' || textOf(node['startDate']) !== '' ? 'startDate' : 'previousStartDate';
    const starts = list(node[key]).slice(0, maxValues).map(writtenOf);
    const ends = list(node['endDate']).slice(0, maxValues).map(writtenOf);
    const isEach = ends.length === Math.max(1, starts.length);
    if (!isEach && ends.length > 0) this.#leftOut.push({ name: 'endDate', offset });
    const [startTime = '', endTime = ''] = ['startTime', 'endTime'].map((name) => {
      const text = writtenOf(node[name]);
      const time = clock.exec(text)?.[1] ?? '';
      if (time === '' && text !== '') this.#leftOut.push({ name, offset });
      return time;
    });
    return (starts.length === 0 ? [''] : starts).map((date, index) => {
      const isDay = /^\d{4}-\d\d-\d\d$/.test(date);
      const start = isDay && startTime !== '' ? `${date}T${startTime}` : date;
      const end = (isEach ? ends[index] : '') || endTime;
      return readTimes(
        {
          start,
          end,
          duration: writtenOf(node['duration']),
        },
        this.#zone(),
      );
    });
  }

  /** Returns the dates of the schedules of an event. Returns null if it has none that can be read. */
  #schedulesOf(event: PageEvent, title: string): ScheduledTimes[] | null {
    const schedules = this.#graph.nodes(fieldOf(event, 'eventSchedule'));
    if (schedules.length === 0) return null;
    const limits = {
      span: spanOf(this.#file),
      budget: this.#budget,
      zone: this.#zone(),
    };
    const dates = new Map<string, ScheduledTimes>();
    try {
      const replaced = new Set(event.dates.map(({ startDate }) => textOf(startDate).slice(0, 10)));
      for (const schedule of schedules) {
        const scheduled = readSchedule(schedule, event.node, limits);
        for (const times of scheduled.filter(({ starts }) => !replaced.has(starts.slice(0, 10))))
          dates.set(`${times.starts} ${times.zone}`, times);
      }
      return [...dates.values()];
    } catch (error) {
      if (error instanceof FoundError) this.problem = error.problem;
      const reason = error instanceof Error ? error.message : String(error);
      const problem = {
        code: 'schedule-left-out',
        title,
        reason,
      } as const;
      this.#warnings.push(findingAt(event.offset, problem));
      return null;
    }
  }

  #zone(): string | null {
    return this.#file.mapping?.zone ?? this.#file.genre.zone ?? null;
  }
}

const clock = /^T?(\d\d:\d\d)(?::\d\d)?$/;
