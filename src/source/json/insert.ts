/**
 * Returns the text of a subject file with one more event at the end of `events`. The file is written again as it was
 * formatted: with its indentation, its line breaks, and events, lists and places on one line if they were.
 *
 * @param text valid JSON whose `events` is an array
 */
export function insertEvent(text: string, event: object): string {
  const subject = JSON.parse(text) as { readonly events: readonly object[] };
  const added = { ...subject, events: [...subject.events, event] };
  const layout = layoutOf(text);
  const ending = text.slice(text.trimEnd().length);
  const written = layout.indent === '' ? JSON.stringify(added) : format(added, layout, '');
  return written.replaceAll('\n', text.includes('\r\n') ? '\r\n' : '\n') + ending;
}

interface Layout {
  /** The white space of one level. Empty if the whole file is one line. */
  readonly indent: string;
  readonly hasShortEvents: boolean;
  readonly hasShortLists: boolean;
  readonly hasShortObjects: boolean;
}

function layoutOf(text: string): Layout {
  const [, indent = ''] = /\n([ \t]+)\S/.exec(text) ?? [];
  return {
    indent,
    hasShortEvents: !/"events"\s*:\s*\[\s*\{[ \t]*\r?\n/.test(text),
    hasShortLists: !/\[[ \t]*\r?\n\s*["\d-]/.test(text),
    hasShortObjects: !/:[ \t]*\{[ \t]*\r?\n/.test(text),
  };
}

/** Formats a value. `margin` is the white space in front of its last line. */
function format(value: unknown, layout: Layout, margin: string): string {
  const inner = margin + layout.indent;
  const wrap = ([open, close]: string, lines: readonly string[]): string =>
    lines.length === 0 ? `${open}${close}` : `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${margin}${close}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const isEvents = value.some((item) => typeof item === 'object');
    if (!isEvents && layout.hasShortLists) return oneLine(value);
    const isShort = isEvents && layout.hasShortEvents;
    const items = value.map((item) => (isShort ? oneLine(item) : format(item, layout, inner)));
    return wrap('[]', items);
  }
  const fields = fieldsIn(value).map(([key, field]) => {
    const isShort = typeof field === 'object' && !Array.isArray(field) && layout.hasShortObjects;
    return `${JSON.stringify(key)}: ${isShort ? oneLine(field) : format(field, layout, inner)}`;
  });
  return wrap('{}', fields);
}

/** `{ "title": "Opening day", "tags": ["chess", "open-air"] }` */
function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const fields = fieldsIn(value).map(([key, field]) => `${JSON.stringify(key)}: ${oneLine(field)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function fieldsIn(value: object): [key: string, field: unknown][] {
  return Object.entries(value).filter(([, field]) => field !== undefined);
}
