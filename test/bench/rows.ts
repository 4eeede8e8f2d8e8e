import type { TextReading } from '../../src/readers/schema/reading.ts';
import { readTable, readYaml } from '../setup/readers.ts';
import { formatCount, median, table } from './report.ts';

/** The largest list of events that we found in a public site has 940 events on 14,778 lines. */
const events = 940;

/**
 * Measures how long one list takes as YAML and as CSV, with the same mapping, run by run. Returns
 * the report.
 */
export function benchRows(runs: number): string {
  const [yaml, csv] = [yamlOf(rowsOf(events)), csvOf(rowsOf(events))];
  const [readings, ratios]: [number[][], number[]] = [[], []];
  // The first pair warms up.
  for (let run = 0; run <= runs; run++) {
    const pair = [timeOf(() => readYaml(yaml, file)), timeOf(() => readTable(csv, file))];
    if (run === 0) continue;
    readings.push(pair);
    ratios.push((pair[0] ?? 0) / (pair[1] ?? 1));
  }
  const rows = ['YAML', 'CSV'].map((name, column) => [
    name,
    formatCount([yaml, csv][column]?.split('\n').length ?? 0),
    median(readings.map((pair) => pair[column] ?? 0)).toFixed(1),
  ]);
  return `${table(['', 'lines', 'ms, median'], rows)}\nYAML / CSV: ${median(ratios).toFixed(2)}\n`;
}

const fields = ['title', 'starts', 'ends', 'location', 'url', 'description', 'tags'];
const file = {
  stem: 'events',
  genre: { id: 'g-c', name: 'G', category: 'c', zone: 'Europe/Berlin' },
  now: Date.parse('2026-11-20T12:00:00Z'),
  name: null,
  url: null,
  mapping: {
    columns: Object.fromEntries(fields.map((field) => [field, field])),
    subject: 'Events',
    ignore: 'others' as const,
  },
};

type Cells = Readonly<Record<string, string>>;

function rowsOf(count: number): Cells[] {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.UTC(2027, 0, 1 + (index % 600))).toISOString().slice(0, 10);
    const more = Array.from({ length: 7 }, (__, key) => [`more_${key}`, `value ${index} ${key}`]);
    return {
      title: `Evening ${index}: part ${index % 7}`,
      starts: `${day} 19:30`,
      ends: `${day} 21:00`,
      location: `Hall ${index % 40}, Mill lane`,
      url: `https://example.org/events/${index}`,
      description: 'Doors at seven. Bring a cup.',
      tags: 'music open-air',
      ...(Object.fromEntries(more) as Cells),
    };
  });
}

/** Returns rows as people write them: quoted only where they must be, with an empty line between. */
function yamlOf(rows: readonly Cells[]): string {
  const lineOf = ([key, value]: [string, string]): string =>
    `  ${key}: ${/: /.test(value) ? JSON.stringify(value) : value}\n`;
  return rows.map((row) => `-\n${Object.entries(row).map(lineOf).join('')}\n`).join('');
}

function csvOf(rows: readonly Cells[]): string {
  const cells = rows.map((row) => Object.values(row).map((value) => JSON.stringify(value)));
  return `${[Object.keys(rows[0] ?? {}), ...cells].join('\n')}\n`;
}

/** Returns how many milliseconds a reading takes. Throws if it does not have all events. */
function timeOf(read: () => TextReading): number {
  const began = performance.now();
  const { subjects, findings } = read();
  const milliseconds = performance.now() - began;
  const count = subjects[0]?.source.events?.length;
  if (count !== events || findings.length > 0)
    throw new Error(`read ${count} of ${events} events: ${JSON.stringify(findings[0])}`);
  return milliseconds;
}
