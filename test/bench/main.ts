/* eslint-disable no-console -- this is a command */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { benchBuilds } from './build.ts';
import { sizes, type Size } from './catalogue.ts';
import { benchRows } from './rows.ts';
import { benchServers } from './serve.ts';
import { benchSearch } from './search.ts';
import { benchWatch } from './watch.ts';

const help = `Measures almanac. The default is what a build takes and writes.

  npm run bench                          2k, 100k and 1m events, 5 runs each
  npm run bench -- --size 2k,100k        other sizes: ${sizes.map(({ name }) => name).join(', ')}
  npm run bench -- --runs 3
  npm run bench -- --against ../before   compare with another compiled version of almanac, run by run
  npm run bench -- --peers               the same lists by Eleventy and DuckDB, which are installed into .bench/, by a
                                         plain script, and by Hugo (apt install hugo)
  npm run bench -- --formats             what each kind of output costs: builds without it (100k)
  npm run bench -- --watch               from the save of an edit until it is served
      --edits 10                         200 of them show whether the memory grows
      --peers                            beside Eleventy and Hugo in their watch modes
  npm run bench -- --search              main-thread time of a letter typed into the search, on a slow processor
  npm run bench -- --rows                one list of 940 events on some 15,000 lines as YAML and as CSV
  npm run bench -- --serve               requests a second of nginx and our servers (100k)
      --runs 3 --seconds 3 --connections 16    3 rounds of 3 seconds for each server and question

Ratios are paired run by run, and every figure is a median. The tables are Markdown. Generated files are in .bench/, which you can delete.
`;

const { values: options } = parseArgs({
  options: {
    size: { type: 'string' },
    runs: { type: 'string' },
    against: { type: 'string' },
    peers: { type: 'boolean', default: false },
    formats: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    edits: { type: 'string', default: '10' },
    search: { type: 'boolean', default: false },
    rows: { type: 'boolean', default: false },
    serve: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    help: { type: 'boolean', default: false },
  },
});

console.log(options.help ? help : await bench());

async function bench(): Promise<string> {
  const cache = resolve('.bench');
  mkdirSync(cache, { recursive: true });
  const { against, peers, formats } = options;
  if (options.rows) return benchRows(Number(options.runs ?? 15));
  if (options.search) return benchSearch(cache, chosenSizes('100k'));
  if (options.watch) {
    const edits = Number(options.edits);
    return benchWatch(cache, { sizes: chosenSizes('2k,100k'), edits, hasPeers: peers });
  }
  if (options.serve) {
    const [size] = chosenSizes('100k');
    const effort = { connections: Number(options.connections), seconds: Number(options.seconds) };
    return benchServers(cache, size, { ...effort, rounds: Number(options.runs ?? 3) });
  }
  const runs = Number(options.runs ?? 5);
  const folder = against === undefined ? null : { folder: against };
  const rivals = peers ? 'peers' : formats ? 'formats' : folder;
  return benchBuilds(cache, { sizes: chosenSizes(formats ? '100k' : '2k,100k,1m'), runs, rivals });
}

/** Returns the sizes of --size in the order of the table, at least one. */
function chosenSizes(byDefault: string): [Size, ...Size[]] {
  const names = (options.size ?? byDefault).split(',');
  const unknown = names.find((name) => !sizes.some((size) => size.name === name));
  const [first, ...rest] = sizes.filter(({ name }) => names.includes(name));
  if (unknown === undefined && first !== undefined) return [first, ...rest];
  throw new Error(
    `found --size ${unknown}; expected some of ${sizes.map(({ name }) => name).join(', ')}`,
  );
}
