import { maxProblemsPerFile, type TextFinding } from '../finding.ts';

/** A content line of a calendar (RFC 5545, 3.1), unfolded. */
export interface ContentLine {
  readonly name: string;
  readonly text: string;
  readonly offset: number;
}

/** Everything between a BEGIN and its END. */
export interface Component {
  readonly name: string;
  readonly offset: number;
  readonly lines: readonly ContentLine[];
  /** The malformed lines of an event, which make it invalid, but not the whole calendar. */
  readonly malformed: readonly TextFinding[];
  readonly components: readonly Component[];
}

/** The calendars in a text, or the reasons why it is not a calendar. */
export interface Calendars {
  readonly calendars: readonly Component[];
  readonly findings: readonly TextFinding[];
  readonly unread: ReadonlyMap<string, number>;
}

interface OpenComponent extends Component {
  readonly lines: ContentLine[];
  readonly malformed: TextFinding[];
  readonly components: Component[];
}

type IsWanted = (component: string, name: string) => boolean;

/** Reads the calendars of a text, and keeps the lines that `isWanted`. */
export function readCalendars(text: string, isWanted: IsWanted): Calendars {
  const reader = new CalendarReader(isWanted);
  for (const { line, offset } of unfoldedLines(text)) if (!reader.readLine(line, offset)) return reader.result();
  reader.end(text.length);
  return reader.result();
}

class CalendarReader {
  readonly #calendars: Component[] = [];
  readonly #findings: TextFinding[] = [];
  readonly #open: OpenComponent[] = [];
  readonly #isWanted: IsWanted;
  readonly #unread = new Map<string, number>();
  #previousIsRead = false;

  constructor(isWanted: IsWanted) {
    this.#isWanted = isWanted;
  }

  /** Reads a line. Returns false if it is pointless to read on. */
  readLine(line: string, offset: number): boolean {
    const name = nameOf(line);
    const inside = this.#open.at(-1);
    const isRead = inside !== undefined && name !== '' && this.#isWanted(inside.name, name);
    if (name === 'BEGIN' && (inside !== undefined || valueOf(line) === 'VCALENDAR')) {
      this.#countUnread(inside?.name, valueOf(line));
      this.#open.push({ name: valueOf(line), offset, lines: [], malformed: [], components: [] });
    } else if (inside === undefined) {
      const found = describe(line, this.#calendars.length);
      this.#findings.push({ problem: { code: 'not-a-calendar', found }, offset });
      return false;
    } else if (name === 'END') {
      if (!this.#close(inside, line, offset)) return false;
    } else if (isRead) inside.lines.push({ name, text: line, offset });
    else if (name !== '') this.#countUnread(inside.name, name);
    else if (this.#previousIsRead) this.#addMalformed(inside, line, offset);
    this.#previousIsRead = isRead;
    return this.#findings.length <= maxProblemsPerFile;
  }

  /** Counts a property or component of a calendar or event that is not read. Those inside other components do not count. */
  #countUnread(inside: string | undefined, name: string): void {
    if ((inside !== 'VCALENDAR' && inside !== 'VEVENT') || technicalNames.has(name)) return;
    this.#unread.set(name, (this.#unread.get(name) ?? 0) + 1);
  }

  #close(inside: OpenComponent, line: string, offset: number): boolean {
    if (valueOf(line) !== inside.name) {
      const problem = { code: 'calendar-nesting', found: line, open: inside.name } as const;
      this.#findings.push({ problem, offset, firstOffset: inside.offset });
      return false;
    }
    this.#open.pop();
    (this.#open.at(-1)?.components ?? this.#calendars).push(inside);
    return true;
  }

  /** Adds a line without a name, which may be the lost rest of the line before it. Only called if that one is read. */
  #addMalformed(inside: OpenComponent, line: string, offset: number): void {
    const found = inside.name === 'VEVENT' ? inside.malformed : this.#findings;
    if (found.length <= maxProblemsPerFile) found.push({ problem: { code: 'bad-calendar-line', found: line }, offset });
  }

  end(length: number): void {
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) {
      const problem = { code: 'calendar-nesting', found: '', open: unclosed.name } as const;
      this.#findings.push({ problem, offset: length, firstOffset: unclosed.offset });
    } else if (this.#calendars.length === 0 && this.#findings.length === 0) {
      this.#findings.push({ problem: { code: 'not-a-calendar', found: 'an empty file' }, offset: 0 });
    }
  }

  result(): Calendars {
    return { calendars: this.#calendars, findings: this.#findings, unread: this.#unread };
  }
}

/** The properties of the format itself, and the components that are read. They are not counted as unread. */
const technicalNames: ReadonlySet<string> = new Set(
  'VERSION PRODID CALSCALE METHOD DTSTAMP VEVENT VTIMEZONE'.split(' '),
);

/** Yields the logical lines of a text. A line that begins with white space continues the line before it. */
function* unfoldedLines(text: string): Generator<{ line: string; offset: number }> {
  let [parts, offset]: [string[], number] = [[], 0];
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline === -1 ? text.length : newline + 1;
    let end = newline === -1 ? text.length : newline;
    while (end > start && text.charCodeAt(end - 1) === carriageReturn) end--;
    const first = text.charCodeAt(start);
    if (parts.length > 0 && (first === space || first === tab)) parts.push(text.slice(start + 1, end));
    else {
      if (parts.length > 0) yield { line: parts.join(''), offset };
      // White space at the beginning of a text, or after an empty line, continues nothing.
      parts = end > start ? [text.slice(start, end).trimStart()] : [];
      offset = start;
    }
    start = next;
  }
  if (parts.length > 0) yield { line: parts.join(''), offset };
}

const [tab, carriageReturn, space] = [9, 13, 32];

/** Returns the name of a property in capitals, or an empty text. Anything may follow an experimental name. */
function nameOf(line: string): string {
  return (/^(?:X-[\w-]+|[\w.-]+(?=[;:]))/i.exec(line)?.[0] ?? '').toUpperCase();
}

function valueOf(line: string): string {
  const value = line.slice(line.indexOf(':') + 1);
  return value.trim().toUpperCase();
}

function describe(line: string, calendars: number): string {
  if (calendars > 0) return `a line outside the calendar, ${JSON.stringify(line.slice(0, 40))}`;
  const start = line.trimStart().slice(0, 40);
  if (/^<(!doctype html|html|head|body)/i.test(start)) return 'an HTML page';
  if (start.startsWith('<')) return 'XML or HTML';
  if (start.startsWith('{') || start.startsWith('[')) return 'what looks like JSON';
  return `the line ${JSON.stringify(start)}`;
}
