import { mostOfOneFile, type TextFinding } from '../finding.ts';
import { BoundsError } from './bounds.ts';
import type { ContentLine } from './content-lines.ts';

/** What `read` makes of a line's text; null where it throws, with a finding at the line. */
export function readLine<T>(line: ContentLine, findings: TextFinding[], read: (text: string) => T): T | null {
  if (findings.length > mostOfOneFile) return null;
  try {
    return read(line.text);
  } catch (error) {
    // ical.js trips over a part that is missing, such as the end of the period in `VALUE=PERIOD:x`.
    const reason = error instanceof Error && !(error instanceof TypeError) ? error.message : 'a part has no value';
    const code = line.name.endsWith('RULE') ? 'bad-recurrence' : 'bad-calendar-value';
    const problem = error instanceof BoundsError ? error.problem : ({ code, found: line.text, reason } as const);
    findings.push({ problem, offset: line.offset });
    return null;
  }
}
