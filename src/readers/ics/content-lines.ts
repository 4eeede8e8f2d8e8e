import type { TextFinding } from '../schema/finding.ts';

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
  readonly components: readonly Component[];
}

/**
 * The calendars in a text, and how often each property or component is in them that is not read.
 */
export interface Calendars {
  readonly calendars: readonly Component[];
  readonly unread: Map<string, number>;
}

interface OpenComponent extends Component {
  readonly lines: ContentLine[];
  readonly components: Component[];
}

/**
 * Reads the calendars of a text, and keeps the lines that `isWanted`. Returns a problem if it is
 * not a calendar.
 */
export function readCalendars(
  text: string,
  isWanted: (component: string, name: string) => boolean,
): Calendars | TextFinding {
  const calendars: Component[] = [];
  const unread = new Map<string, number>();
  const open: OpenComponent[] = [];
  let previous: { name: string; text: string; offset: number } | null = null;
  for (const { line, offset } of unfoldedLines(text)) {
    const [name, inside] = [nameOf(line), open.at(-1)];
    const value = line
      .slice(line.indexOf(':') + 1)
      .trim()
      .toUpperCase();
    if (name === '') {
      // Some programs break a text without folding it.
      if (previous !== null) previous.text += `\n${line}`;
      else if (inside === undefined) return notACalendar(describe(line, calendars.length), offset);
      continue;
    }
    previous = null;
    if (name === 'BEGIN' && (inside !== undefined || value === 'VCALENDAR')) {
      if (isPublic(inside?.name, value)) unread.set(value, (unread.get(value) ?? 0) + 1);
      open.push({
        name: value,
        offset,
        lines: [],
        components: [],
      });
    } else if (inside === undefined && name.startsWith('X-')) {
      // Some programs write a comment around the calendar.
      continue;
    } else if (inside === undefined) {
      return notACalendar(describe(line, calendars.length), offset);
    } else if (name === 'END') {
      if (value !== inside.name) return wrongNesting(line, inside, offset);
      open.pop();
      (open.at(-1)?.components ?? calendars).push(inside);
    } else if (isWanted(inside.name, name)) {
      previous = {
        name,
        text: line,
        offset,
      };
      inside.lines.push(previous);
    } else if (isPublic(inside.name, name)) unread.set(name, (unread.get(name) ?? 0) + 1);
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) return wrongNesting('', unclosed, text.length);
  return calendars.length === 0 ? notACalendar('an empty file', 0) : { calendars, unread };
}

function notACalendar(start: string, offset: number): TextFinding {
  return {
    problem: {
      code: 'not-a-calendar',
      found: start,
    },
    offset,
  };
}

function wrongNesting(
  line: string,
  { name: open, offset: firstOffset }: Component,
  offset: number,
): TextFinding {
  return {
    problem: {
      code: 'calendar-nesting',
      found: line,
      open,
    },
    offset,
    first: { offset: firstOffset },
  };
}

/**
 * Whether a property or component of a calendar or event says something about it. Other components
 * do not.
 */
function isPublic(inside: string | undefined, name: string): boolean {
  return (inside === 'VCALENDAR' || inside === 'VEVENT') && !technicalNames.has(name);
}

const technicalNames: ReadonlySet<string> = new Set(
  'VERSION PRODID CALSCALE METHOD DTSTAMP VEVENT VTIMEZONE'.split(' '),
);

function* unfoldedLines(text: string): Generator<{ line: string; offset: number }> {
  let [parts, offset]: [string[], number] = [[], 0];
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline === -1 ? text.length : newline + 1;
    let end = newline === -1 ? text.length : newline;
    while (end > start && text.charCodeAt(end - 1) === carriageReturn) end--;
    const first = text.charCodeAt(start);
    if (parts.length > 0 && (first === space || first === tab))
      parts.push(text.slice(start + 1, end));
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

/**
 * Returns the name of a property in capitals, or an empty text. Anything may follow an experimental
 * name.
 */
function nameOf(line: string): string {
  return (/^(?:X-[\w-]+|[\w.-]+(?=[;:]))/i.exec(line)?.[0] ?? '').toUpperCase();
}

function describe(line: string, calendars: number): string {
  if (calendars > 0) return `a line outside the calendar, ${JSON.stringify(line.slice(0, 40))}`;
  const start = line.trimStart().slice(0, 40);
  if (/^<(!doctype html|html|head|body)/i.test(start)) return 'an HTML page';
  if (start.startsWith('<')) return 'XML or HTML';
  if (start.startsWith('{') || start.startsWith('[')) return 'what looks like JSON';
  return `the line ${JSON.stringify(start)}`;
}
