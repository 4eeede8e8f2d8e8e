/* eslint-disable no-console -- this is a program of its own */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { catalogueIn, sizes, type Size } from './catalogue.ts';
import { machine } from './machine.ts';
import { median } from './measure.ts';
import { findPeers } from './peers/peers.ts';
import { race, type Race } from './race.ts';
import { table } from './table.ts';

const help = `Times the build beside the machine's limit: reading and parsing the input, and copying the output.

  npm run bench                        2k, 100k and 1m, 5 runs each
  npm run bench -- --sizes 2k,100k     some of 2k, 100k, 1m (events); 100k-events and 100k-pairs have twice as many,
                                       1m-few has them in few files
  npm run bench -- --runs 3
  npm run bench -- --peers             beside Eleventy, Astro, DuckDB (installed into .bench/) and Hugo (apt install hugo)
  npm run bench -- --markdown          the table as Markdown

Ratios are paired run by run; every figure is a median. What is generated lies in .bench/, which may be deleted.
`;

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '2k,100k,1m' },
    runs: { type: 'string', default: '5' },
    peers: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(help);
else {
  const cache = resolve('.bench');
  mkdirSync(cache, { recursive: true });
  const peers = options.peers ? findPeers() : [];
  const rows = chosenSizes(options.sizes.split(',')).flatMap((size) =>
    rowsOf(size, race(catalogueIn(cache, size), peers, Number(options.runs))),
  );
  console.log(table(['', 'events', 'seconds', 'of LIMIT', 'peak MB'], rows, options.markdown));
  console.log(`LIMIT: read and JSON.parse the input, cp -r the output. Medians of ${options.runs} runs. ${machine()}.`);
}

function chosenSizes(names: readonly string[]): Size[] {
  const unknown = names.find((name) => !sizes.some((size) => size.name === name));
  if (unknown === undefined) return sizes.filter(({ name }) => names.includes(name));
  throw new Error(`--sizes ${unknown}: choose of ${sizes.map(({ name }) => name).join(', ')}`);
}

function rowsOf(size: Size, { limit, readings }: Race): string[][] {
  const row = (name: string, seconds: readonly number[], megabytes: readonly (number | null)[]): string[] => [
    name,
    [size.events.toLocaleString('en-US'), size.note].filter((part) => part !== undefined).join(', '),
    median(seconds).toFixed(2),
    median(seconds.map((value, run) => value / (limit[run] ?? 0))).toFixed(2),
    megabytes.some((value) => value === null) ? '' : median(megabytes.map(Number)).toFixed(0),
  ];
  const seconds = [...readings].map(([name, of]) => [name, of.map((reading) => reading.seconds)] as const);
  return [
    row('LIMIT', limit, [null]),
    ...seconds.map(([name, values]) =>
      row(
        name,
        values,
        (readings.get(name) ?? []).map(({ megabytes }) => megabytes),
      ),
    ),
  ];
}
