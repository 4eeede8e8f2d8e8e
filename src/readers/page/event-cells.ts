import { isHttpsUrl, parseUrl } from '../../catalogue/url.ts';
import { plain, withoutEntities, withoutMarkup } from '../plain.ts';
import { attendances, maxNameCharacters, readChoice, statuses } from '../schema/rules.ts';
import type { SourceFile } from '../schema/reading.ts';
import type { Graph, PageEvent } from './graph.ts';
import {
  addressOf,
  list,
  maxLongText,
  maxValues,
  termsOf,
  textOf,
  writtenOf,
  type Cells,
  type Node,
} from './values.ts';

/** A value of a page that is not understood, under the name of its property. */
export interface Unread {
  readonly key: string;
  readonly term: string;
}

/** The keys that the parts of an event share with the whole. */
const inherited = new Set(
  'name url image location organizer eventStatus eventAttendanceMode'.split(' '),
);
const maxWholes = 32;

/** Returns a value of an event, or of the event that it is a part of. */
function fieldOf(event: PageEvent, key: string): unknown {
  let value = event.node[key];
  if (!inherited.has(key)) return value;
  let { whole } = event;
  for (let depth = 0; value == null && whole !== null && depth < maxWholes; depth++) {
    value = whole.node[key];
    ({ whole } = whole);
  }
  return value;
}

/** Returns what an event says besides its times, and adds what cannot be read to `unread`. */
export function cellsOf(
  event: PageEvent,
  graph: Graph,
  { address = null, descriptions }: SourceFile,
  unread: Unread[],
): Cells {
  const field = (key: string) => fieldOf(event, key);
  const link = (value: unknown) => {
    const text = withoutEntities(addressOf(value));
    const url = text === '' ? '' : (parseUrl(text, address ?? undefined)?.href ?? '');
    return isHttpsUrl(url) ? url : '';
  };
  const [image] = graph.nodes(field('image'));
  const place = placeOf(field('location'), graph);
  const status = statusOf(graph, field('eventStatus'), unread);
  const mode = attendanceOf(graph, field('eventAttendanceMode'), unread);
  const isMovedOnline = status.isOnline && mode === '';
  return {
    title: plainText(field('name')),
    url: link(field('url')),
    status: status.status,
    ...place,
    attendance: isMovedOnline ? 'online' : mode || (place.attendance ?? ''),
    organizer: namesOf(graph.nodes(field('organizer'))),
    image: image === undefined ? '' : link(image) || link(image['name']),
    ...(descriptions === true && {
      description: textOf(field('description'), maxLongText),
    }),
    source: link(address ?? ''),
  };
}

function plainText(value: unknown): string {
  return withoutMarkup(textOf(value));
}

/** Returns where an event is. The parts of one share what it says, which is read once. */
function placeOf(value: unknown, graph: Graph): Cells {
  const earlier = graph.places.get(value);
  if (earlier !== undefined) return earlier;
  const places = graph.nodes(value);
  const rooms = places.filter((place) => !isLink(place));
  const isOnline = rooms.length < places.length;
  const attendance = rooms.length === 0 ? 'online' : 'hybrid';
  const cells = {
    ...placeCells(rooms, graph),
    ...(isOnline && { attendance }),
  };
  graph.places.set(value, cells);
  return cells;
}

function isLink(place: Node): boolean {
  const isVirtual = termsOf(place['@type']).includes('VirtualLocation');
  return isVirtual || /^\w{1,20}:\/\//.test(textOf(place['name']));
}

function namesOf(nodes: readonly Node[]): string {
  const names = nodes.map(({ name }) => plainText(name)).filter((name) => name !== '');
  const joined = [...new Set(names)].join(', ');
  return joined.length <= maxNameCharacters ? joined : plain(names[0] ?? '');
}

/** The statuses of schema.org, and other words for them, from the least to the most serious. */
const statusTerms: ReadonlyMap<string, string> = new Map([
  ['scheduled', 'confirmed'],
  ['rescheduled', 'confirmed'],
  ['movedonline', 'confirmed'],
  ['canceled', 'cancelled'],
]);

function statusOf(graph: Graph, value: unknown, unread: Unread[]) {
  const terms = enumerationTerms(graph, value, /^Event(?:Status(?:Type)?)?[\s_-]*/i);
  const read = terms.flatMap((term) => {
    const status = statusTerms.get(term.toLowerCase()) ?? readChoice(term, statuses);
    return status === null ? [] : [status];
  });
  const [first = writtenOf(value)] = terms;
  if (read.length === 0 && first !== '') unread.push({ key: 'eventStatus', term: first });
  const status = statuses.findLast((candidate) => read.includes(candidate)) ?? '';
  const isOnline = terms.some((term) => term.toLowerCase() === 'movedonline');
  return {
    status: status === 'confirmed' ? '' : status,
    isOnline,
  };
}

const attendanceTerms: ReadonlyMap<string, string> = new Map([
  ['mixed', 'hybrid'],
  ['offline', 'in-person'],
]);

function attendanceOf(graph: Graph, value: unknown, unread: Unread[]): string {
  const terms = enumerationTerms(graph, value, /EventAttendanceMode(?:Enumeration)?$/i);
  const read = terms.map(
    (term) => attendanceTerms.get(term.toLowerCase()) ?? readChoice(term, attendances),
  );
  const modes = new Set(read.filter((mode) => mode !== null));
  const [term] = terms;
  if (modes.size === 0 && term !== undefined) unread.push({ key: 'eventAttendanceMode', term });
  const [mode = ''] = modes;
  return modes.size > 1 ? 'hybrid' : mode;
}

/** Returns the terms of a value without the name of their enumeration. */
function enumerationTerms(graph: Graph, value: unknown, name: RegExp): string[] {
  return list(value)
    .slice(0, maxValues)
    .flatMap((item) => termsOf(graph.resolve(item)))
    .map((term) => term.replace(name, '').trim())
    .filter((term) => term !== '');
}

/** The first place, and the names of all. */
function placeCells(places: readonly Node[], graph: Graph): Cells {
  const [place] = places;
  if (place === undefined) return {};
  const address = addressIn(place, graph);
  const name = namesOf(places);
  if (name === '' && address.text === '') return {};
  const isJoined = places.length > 1 && name !== plainText(place['name']);
  if (isJoined) return { location: name };
  const [geo = place] = graph.nodes(place['geo']);
  const [latitude, longitude] = [textOf(geo['latitude']), textOf(geo['longitude'])];
  return {
    location: name || address.text,
    ...(name !== '' && address.text !== name && { address: address.text }),
    country: address.country,
    ...(latitude !== '' &&
      longitude !== '' && {
        latitude,
        longitude,
      }),
  };
}

function addressIn(place: Node, graph: Graph): { text: string; country: string } {
  // Some pages give the address in place of the place.
  const [postal = place] = graph.nodes(place['address']);
  const town = [postal['postalCode'], postal['addressLocality']].map(plainText);
  const name = postal === place ? '' : plainText(postal['name']);
  const street = plainText(postal['streetAddress']) || name;
  const parts = [street, town.filter((part) => part !== '').join(' ')];
  const [country = {}] = graph.nodes(postal['addressCountry']);
  return {
    text: parts.filter((part) => part !== '').join(', '),
    country: plainText(country['name']) || addressOf(country),
  };
}
