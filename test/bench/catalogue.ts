import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The size of a generated catalogue. */
export interface Size {
  readonly name: string;
  readonly categories: number;
  readonly genres: number;
  readonly subjects: number;
  readonly events: number;
  /** Whether each genre is one table (CSV). Otherwise each subject is a JSON file. */
  readonly isTables?: true;
}

/** About the size of the starter catalogue. */
export const small: Size = { name: '2k', categories: 6, genres: 60, subjects: 240, events: 2_000 };

export const sizes: readonly Size[] = [
  small,
  { name: '100k', categories: 10, genres: 300, subjects: 5_000, events: 100_000 },
  { name: '1m', categories: 20, genres: 2_000, subjects: 40_000, events: 1_000_000 },
  {
    name: '10m',
    categories: 30,
    genres: 6_000,
    subjects: 400_000,
    events: 10_000_000,
    isTables: true,
  },
];

/** The time of the builds. About half of the events have passed by then. */
export const now = '2026-11-20T12:17:00Z';

/** The base URL of the generated sites. */
export const baseUrl = 'https://example.org';

/** Increase this when the generator changes, so that cached catalogues are generated again. */
const generation = '1';

/**
 * Returns the data folder of a catalogue and generates it if it is missing. The same size gives the
 * same bytes.
 */
export function catalogueIn(folder: string, size: Size): string {
  const data = join(folder, `catalogue-${size.name}`);
  const stamp = join(data, '.generation');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === generation) return data;
  rmSync(data, { recursive: true, force: true });
  writeCatalogue(data, size);
  writeFileSync(stamp, generation);
  return data;
}

/** Gives service.json more settings while `work` runs. */
export function withSettings<T>(data: string, settings: object, work: () => T): T {
  const path = join(data, 'service.json');
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, file({ ...(JSON.parse(before) as object), ...settings }));
  try {
    return work();
  } finally {
    writeFileSync(path, before);
  }
}

function writeCatalogue(data: string, size: Size): void {
  const pick = pickerFrom(1);
  const write = (path: string, text: string): void => writeFileSync(join(data, path), text);
  mkdirSync(data, { recursive: true });
  write('service.json', file({ name: 'Almanac', license: 'Free to use, with no key required.' }));
  for (const category of upTo(size.categories)) {
    const id = `category-${category}`;
    mkdirSync(join(data, id));
    write(`${id}/category.json`, file({ name: `Category ${category}` }));
  }
  for (const genre of upTo(size.genres)) {
    const path = `category-${genre % size.categories}/${slugOf(places, genre)}`;
    mkdirSync(join(data, path));
    write(`${path}/genre.json`, file({ name: nameOf(places, genre) }));
    const rows = [tableColumns.join(',')];
    for (let subject = genre; subject < size.subjects; subject += size.genres) {
      const count = share(size, subject);
      if (size.isTables) rows.push(...subjectRows(pick, subject, count));
      else write(`${path}/${slugOf(makers, subject)}.json`, subjectFile(pick, subject, count));
    }
    if (size.isTables) write(`${path}/events.csv`, `${rows.join('\n')}\n`);
  }
}

/**
 * Returns the number of events of a subject, from a third to five thirds of the average. They add
 * up to `events`.
 */
function share({ events, subjects }: Size, subject: number): number {
  const average = events / subjects;
  const swing = Math.floor((average * 2) / 3);
  const offset = subject % 2 === 0 ? (subject >> 1) % (swing + 1) : -((subject >> 1) % (swing + 1));
  return Math.floor((subject + 1) * average) - Math.floor(subject * average) + offset;
}

type Picker = (count: number) => number;

function subjectFile(pick: Picker, subject: number, count: number): string {
  const events = upTo(count).map((index) => `    ${JSON.stringify(eventOf(pick, index))}`);
  const url = pick(2) === 0 ? `\n  "url": "https://example.org/subjects/${subject}",` : '';
  return `{\n  "name": ${JSON.stringify(nameOf(makers, subject))},${url}\n  "events": [\n${events.join(',\n')}\n  ]\n}\n`;
}

const tableColumns = ['subject', 'title', 'starts', 'zone', 'url', 'id'] as const;

/** Returns the rows of a subject in a table. Titles with a comma are in quotation marks. */
function subjectRows(pick: Picker, subject: number, count: number): string[] {
  return upTo(count).map((index) => {
    const cells: Partial<Record<string, string>> = {
      subject: nameOf(makers, subject),
      ...eventOf(pick, index),
    };
    const written = (text: string): string => (text.includes(',') ? `"${text}"` : text);
    return tableColumns.map((column) => written(cells[column] ?? '')).join(',');
  });
}

function eventOf(pick: Picker, index: number): Partial<Record<string, string>> {
  const title = titles[pick(titles.length)]?.(index + 1, word(pick, places)) ?? '';
  const address =
    pick(4) === 0 ? { url: `https://example.org/events/${index}?from=${pick(1000)}` } : {};
  const own = pick(20) === 0 ? { id: `event-${index + 1}` } : {};
  return { title, ...startOf(pick), ...address, ...own };
}

/**
 * Returns a date in a third of the cases, rarely a quarter, an instant or an hour, and otherwise a
 * local time.
 */
function startOf(pick: Picker): Partial<Record<string, string>> {
  const date = new Date(middle + (pick(2 * spread) - spread) * 86_400_000)
    .toISOString()
    .slice(0, 10);
  const zone = zones[pick(zones.length)];
  // No zone changes its clocks at these hours, so each of them exists exactly once.
  const hour = two(6 + pick(17));
  const form = pick(100);
  if (form < 17) return { starts: date };
  if (form < 33) return { starts: date, zone };
  if (form < 34) return { starts: `${date.slice(0, 4)}-Q${1 + pick(4)}` };
  if (form < 36) return { starts: `${date}T${hour}:${two(pick(60))}Z` };
  if (form < 38) return { starts: `${date}T${hour}:${two(pick(60))}:${two(pick(60))}-03:00` };
  if (form < 40) return { starts: `${date}T${hour}`, zone };
  return { starts: `${date}T${hour}:${two(5 * pick(12))}`, zone };
}

const middle = Date.parse(now);
const spread = 500;

const zones = [
  'Africa/Cairo Africa/Johannesburg Africa/Lagos America/Argentina/Buenos_Aires America/Chicago America/Denver',
  'America/Los_Angeles America/Mexico_City America/New_York America/Sao_Paulo America/Toronto Asia/Dubai',
  'Asia/Kolkata Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tokyo Australia/Sydney',
  'Europe/Berlin Europe/London Europe/Madrid Europe/Paris Pacific/Auckland UTC',
].flatMap((line) => line.split(' '));

const titles: readonly ((index: number, place: string) => string)[] = [
  (index) => `Season ${1 + (index % 9)}, episode ${index}`,
  (index, place) => `Match day ${index}: ${place} at home`,
  (index, place) => `Live in ${place}, night ${index}`,
  (index, place) => `${place} Grand Prix, round ${index}`,
  (index, place) => `Version ${index}.0 “${place}” released`,
  (index, place) => `Première n° ${index} à ${place}`,
];

const places = [
  'Amber Autumn Birch Canyon Cedar Coral Crystal Delta Desert Dune Ember Fjord Forest Garden Glacier Granite Harbour',
  'Hollow Island Ivory Jade Juniper Lagoon Lantern Lunar Maple Marble Meadow Midnight Monsoon Mountain Northern',
  'Obsidian Ocean Opal Orchard Pacific Pebble Pine Prairie Quartz River Saffron Sapphire Silver Summit Sunset Thunder',
  'Tidal Timber Valley Velvet Violet Willow Winter Zephyr',
].flatMap((line) => line.split(' '));

const makers = [
  'Academy Alliance Archive Assembly Atlas Band Bureau Chronicle Circle Club Collective Company Council Derby Ensemble',
  'Exchange Festival Foundation Gallery Guild Herald Institute Journal League Legion Observatory Orchestra Outpost',
  'Parade Players Quartet Rally Registry Review Rovers Saga Series Society Studio Summit Symphony Theatre Tournament',
  'Tribune Union United Wanderers Workshop',
].flatMap((line) => line.split(' '));

function word(pick: Picker, words: readonly string[]): string {
  return words[pick(words.length)] ?? '';
}

function nameOf(words: readonly string[], index: number): string {
  return `${words[index % words.length]} ${Math.floor(index / words.length) + 1}`;
}

function slugOf(words: readonly string[], index: number): string {
  return nameOf(words, index).toLowerCase().replace(' ', '-');
}

function file(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/**
 * Returns a generator of pseudo-random integers below `count` (linear congruential, 2^32), the same
 * in every run.
 */
function pickerFrom(seed: number): Picker {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}
