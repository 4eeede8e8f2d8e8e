import { findNodeAtLocation, parseTree } from 'jsonc-parser';

/**
 * Returns the text of a subject file with one more event at the end of `events`. All other text stays as it is. The
 * event is written on one line, or on several if the last event is.
 *
 * @param text valid JSON whose `events` is an array
 * @param event written with its keys in this order
 */
export function insertEvent(text: string, event: object): string {
  const root = parseTree(text);
  const events = root && findNodeAtLocation(root, ['events']);
  if (events === undefined) throw new Error('the subject has no events');
  const last = events.children?.at(-1);
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  if (last === undefined) {
    const indent = indentAt(text, events.offset);
    const inner = `${lineBreak}${indent}${indent || '  '}${oneLine(event)}${lineBreak}${indent}`;
    return splice(text, events.offset, events.offset + events.length, `[${inner}]`);
  }
  const end = last.offset + last.length;
  const lastText = text.slice(last.offset, end);
  const gap = gapBefore(text, last.offset);
  const isMultiLine = lastText.includes('\n');
  const written = isMultiLine ? manyLines(event, indentAt(text, last.offset), lastText, lineBreak) : oneLine(event);
  return splice(text, end, end, `,${gap || ' '}${written}`);
}

/** `{ "title": "Opening day", "starts": "2027-05-08" }` */
function oneLine(event: object): string {
  const fields = Object.entries(event).filter(([, value]) => value !== undefined);
  return `{ ${fields.map(([key, value]) => `"${key}": ${JSON.stringify(value)}`).join(', ')} }`;
}

function manyLines(event: object, indent: string, like: string, lineBreak: string): string {
  const inner = /\n([ \t]*)/.exec(like)?.[1] ?? '';
  const step = inner.startsWith(indent) ? inner.slice(indent.length) : '  ';
  return JSON.stringify(event, null, step).replaceAll('\n', lineBreak + indent);
}

function gapBefore(text: string, offset: number): string {
  const start = startOfBlanks(text, offset);
  if (text[start - 1] !== '\n') return text.slice(start, offset);
  return text.slice(startOfBlanks(text, start - (text[start - 2] === '\r' ? 2 : 1)), offset);
}

/** Returns where the spaces and tabs begin that end at an offset. Not a regular expression, which takes quadratic time. */
function startOfBlanks(text: string, offset: number): number {
  let start = offset;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--;
  return start;
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function splice(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}
