import { day, isoDate } from '../catalogue/time/time.ts';
import { isHttpsUrl, parseUrl } from '../catalogue/url.ts';
import type { TableColumn } from './table/columns.ts';
import type { Row, Rows } from './table/rows.ts';
import { noReading, readRows } from './table/read-table.ts';
import type { TextFinding } from './schema/finding.ts';
import { parseJson } from './schema/json-parse.ts';
import { withoutMarkup } from './plain.ts';
import { refuse, type SourceFile, type TextDrafts } from './schema/reading.ts';

type Node = Readonly<Record<string, unknown>>;

/**
 * Reads the events of a web page: those that its scripts of JSON-LD describe as an Event of
 * schema.org, or one of its subtypes. They are read as the rows of a table, so that what cannot be
 * read is left out with a warning.
 */
export function readPage(html: string, file: SourceFile): TextDrafts {
  const page = new Page();
  const scripts = scriptsIn(html);
  const unreadable = scripts.filter(({ text, offset }) => !page.addScript(text, offset));
  const warnings = unreadable.map(({ offset }): TextFinding => ({
    problem: { code: 'bad-json-ld' },
    offset,
  }));
  const name = file.name ?? file.stem;
  if (page.events.length === 0) {
    const finding: TextFinding = {
      problem: { code: 'no-json-ld', scripts: scripts.length },
      offset: 0,
    };
    // A venue may have no events just now.
    if (unreadable.length === scripts.length) return noReading(finding, ...warnings);
    const { stem, url } = file;
    const spot = { offset: 0 };
    const source = { name, ...(url !== null && { url }), events: [] };
    const empty = { id: stem, source, spot, spotOf: () => spot, policy: refuse };
    return { ...noReading(), drafts: [empty], warnings: [finding] };
  }
  const body = page.events.map(({ node }): Row => {
    const cells: Cells = { ...cellsOf(node, page, file), subject_id: file.stem };
    return { cells: columns.map((column) => withoutMarkup(cells[column] ?? '')) };
  });
  const spotOf: Rows['spotOf'] = (row) => ({ offset: page.events[row ?? 0]?.offset ?? 0 });
  const rows: Rows = { names: columns, above: 0, body, spotOf };
  const mapping = { ...file.mapping, subject: name, dates: 'iso', skip: true } as const;
  const reading = readRows(rows, { ...file, mapping });
  return { ...reading, warnings: [...warnings, ...reading.warnings] };
}

/**
 * Returns the contents of the scripts of JSON-LD in a page. Comments and the text of other elements
 * hold none.
 */
function scriptsIn(html: string): { text: string; offset: number }[] {
  const scripts: { text: string; offset: number }[] = [];
  const opening = /<!--(?:-?>|[^]*?(?:--!?>|$))|<(script|style|title|textarea)(?=[\s/>])/gi;
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    const [, name] = found;
    if (name === undefined) continue;
    const { type, end: offset } = readTag(html, opening.lastIndex);
    const closing = new RegExp(`</${name}(?=[\\s/>])|$`, 'gi');
    closing.lastIndex = offset;
    const end = closing.exec(html)?.index ?? html.length;
    opening.lastIndex = end;
    if (jsonLd.test(type)) scripts.push({ text: html.slice(offset, end), offset });
  }
  return scripts;
}

const jsonLd = /^\s*application\/ld\+json\s*(?:;|$)/i;

function readTag(html: string, start: number): { type: string; end: number } {
  const attribute = /(?<=[\s"'/])([^\s"'=>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))|>|$/g;
  attribute.lastIndex = start;
  let type = '';
  for (let found = attribute.exec(html); found?.[1] !== undefined; found = attribute.exec(html)) {
    const [, name, ...values] = found;
    if (name.toLowerCase() === 'type') type ||= values.join('');
  }
  return { type, end: attribute.lastIndex };
}
class Page {
  readonly events: { readonly node: Node; readonly offset: number }[] = [];
  readonly #byId = new Map<string, Node>();

  /** Adds the objects of a script. Returns whether it is JSON. */
  addScript(text: string, offset: number): boolean {
    // Many systems write the line breaks of a text as they are.
    const value = parseJson(text) ?? parseJson(text.replace(/\p{Cc}+/gu, ' '));
    this.#add(value, offset, {}, 0);
    return value !== undefined;
  }

  /**
   * Returns an object, or the one with its id, or the first of a list. A text becomes the name of
   * an object.
   */
  resolve(value: unknown): Node {
    const [one] = list(value);
    if (typeof one === 'string') return { name: one };
    return isNode(one) ? { ...this.#byId.get(String(one['@id'])), ...one } : {};
  }

  /**
   * Adds the events in a value. A part of an event has the fields of the whole that are
   * `inherited`.
   */
  #add(value: unknown, offset: number, above: Node, depth: number): void {
    if (depth > maxDepth) return;
    if (Array.isArray(value)) for (const one of value) this.#add(one, offset, above, depth + 1);
    if (!isNode(value)) return;
    const id = value['@id'];
    if (typeof id === 'string' && Object.keys(value).length > 1 && !this.#byId.has(id))
      this.#byId.set(id, value);
    const node: Node = { ...above, ...value };
    const types = list(node['@type']).map(String);
    const isEvent = types.some((type) => eventType.test(type));
    const parts = isEvent ? list(value['subEvent'] ?? value['subEvents']).filter(isNode) : [];
    // The parts of a series are its dates.
    const isSeries = ({ name }: Node): boolean =>
      name === undefined || name === node['name'] || types[0]?.endsWith('Series') === true;
    const dated = parts.filter(({ startDate }) => startDate !== undefined);
    if (isEvent && !dated.some(isSeries)) this.events.push({ node, offset });
    const shared = Object.fromEntries(Object.entries(node).filter(([key]) => inherited.has(key)));
    for (const part of dated) this.#add(part, offset, { ...shared, '@type': 'Event' }, depth + 1);
    for (const [key, inner] of Object.entries(value)) {
      if (!(isEvent && notWithin.has(key))) this.#add(inner, offset, {}, depth + 1);
    }
  }
}

const maxDepth = 32;
const notWithin = new Set(['subEvent', 'subEvents', 'superEvent']);
const inherited = new Set(
  'name url image location organizer eventStatus eventAttendanceMode'.split(' '),
);
const eventType =
  /(?:^|[/:#])(?:[A-Z][A-Za-z]*)?(?:Event|EventSeries|Festival|Hackathon|CourseInstance)$/;

const columns = (
  'subject_id title starts ends url status attendance organizer image location address country latitude longitude ' +
  'description source'
).split(' ') as TableColumn[];
type Cells = Partial<Record<TableColumn, string>>;

function cellsOf(node: Node, page: Page, { address = null, descriptions }: SourceFile): Cells {
  const link = (value: unknown): string => {
    const url = parseUrl(textOf(value), address ?? undefined)?.href ?? '';
    return isHttpsUrl(url) ? url : '';
  };
  const image = page.resolve(node['image']);
  const status = /Event(Cancelled|Postponed)$/
    .exec(textOf(node['eventStatus']))?.[1]
    ?.toLowerCase();
  const places = list(node['location']).map((place) => page.resolve(place));
  const isLink = (place: Node): boolean =>
    textOf(place['@type']) === 'VirtualLocation' || /^\w+:\/\//.test(textOf(place['name']));
  const isOnline = places.some(isLink);
  const place = places.find((one) => !isLink(one));
  const mode = /(Online|Mixed|Offline)EventAttendanceMode$/.exec(
    textOf(node['eventAttendanceMode']),
  )?.[1];
  return {
    title: textOf(node['name']),
    ...timesOf(textOf(node['startDate']), textOf(node['endDate'])),
    url: link(node['url']),
    status: status ?? '',
    attendance:
      attendances[mode ?? (isOnline ? (place === undefined ? 'Online' : 'Mixed') : '')] ?? '',
    organizer: textOf(page.resolve(node['organizer'])['name']),
    image: link(image['url'] ?? image['contentUrl'] ?? image['name']),
    ...(place && cellsOfPlace(place, page)),
    ...(descriptions === true && { description: textOf(node['description']) }),
    source: link(address ?? ''),
  };
}

const attendances: Readonly<Record<string, string>> = {
  Online: 'online',
  Mixed: 'hybrid',
  Offline: 'in-person',
};

function cellsOfPlace(place: Node, page: Page): Cells {
  const postal = page.resolve(place['address']);
  const town = [textOf(postal['postalCode']), textOf(postal['addressLocality'])]
    .filter((part) => part !== '')
    .join(' ');
  const parts = [textOf(postal['streetAddress']) || textOf(postal['name']), town].filter(
    (part) => part !== '',
  );
  const [name, address] = [textOf(place['name']), parts.join(', ')];
  const geo = page.resolve(place['geo']);
  const [latitude, longitude] = [textOf(geo['latitude']), textOf(geo['longitude'])];
  if (name === '' && address === '') return {};
  return {
    location: name || address,
    ...(name !== '' && address !== name && { address }),
    country: textOf(page.resolve(postal['addressCountry'])['name']),
    ...(latitude !== '' && longitude !== '' && { latitude, longitude }),
  };
}

function timesOf(startDate: string, endDate: string): { starts: string; ends: string } {
  const [start, end] = [moment.exec(startDate)?.groups, moment.exec(endDate)?.groups];
  if (start === undefined) return { starts: startDate, ends: fullDate.exec(endDate)?.[0] ?? '' };
  const [date = '', lastDate = ''] = [start['date'], end?.['date'] ?? fullDate.exec(endDate)?.[0]];
  const isMidnight = (at: typeof start): boolean => at['clock'] === '00:00' && at['offset'] !== 'Z';
  if (isMidnight(start) && (end === undefined || isMidnight(end) || end['clock'] === '23:59')) {
    const midnight = end !== undefined && isMidnight(end) ? Date.parse(lastDate) : NaN;
    const last = Number.isNaN(midnight) ? lastDate : isoDate(midnight - day);
    return { starts: date, ends: last < date ? '' : last };
  }
  const write = ({ date: on, clock, offset = '' }: typeof start): string =>
    `${on}T${clock}${offset.replace(/(\d\d)(\d\d)$/, '$1:$2')}`;
  return { starts: write(start), ends: end === undefined ? '' : write(end) };
}

const fullDate = /^\d{4}-\d\d-\d\d/;
const moment =
  /^(?<date>\d{4}-\d\d-\d\d)[T ](?<clock>\d\d:\d\d)(?::\d\d(?:\.\d+)?)? ?(?<offset>Z|[+-]\d\d:?\d\d)?$/;

function textOf(value: unknown): string {
  const [one] = list(value);
  if (isNode(one)) return '@value' in one ? textOf(one['@value']) : '';
  return typeof one === 'string' || typeof one === 'number' ? String(one).trim() : '';
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
