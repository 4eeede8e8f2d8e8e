import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import { beforeAll, expect, test } from 'vitest';
import { abilities, type Ability, type Host } from '../../src/hosts/host.ts';
import { hosts } from '../../src/hosts/table.ts';
import { issueForm } from '../../src/authoring/issue.ts';
import { columns, required } from '../../src/readers/table/columns.ts';
import { editorSchemas } from '../setup/editor-schemas.ts';
import { lastingFolder, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';
import { pages, readPage, root } from './pages.ts';

/*
 * What a page repeats from the program stands between <!-- generated: KIND NAME --> and <!-- end
 * -->. `keys A without B` leaves out the keys that mean the same in B, which the page lists as
 * well, or the key B. `ALMANAC_UPDATE_GOLDEN=1 npm run test:cases -- test/docs` writes it.
 */
const parts = /(<!-- generated: (\w+) ?([\w ]*) -->\n)[^]*?(<!-- end -->)/g;
const cwd = lastingFolder();

beforeAll(async () => {
  writeTree(cwd, sample);
  await printedBy('build', '--now', now);
});

test.each(pages.filter((page) => readPage(page).includes('<!-- generated: ')))(
  '%s',
  async (page) => {
    let text = readPage(page);
    for (const [part, start = '', kind = '', name = '', end = ''] of text.matchAll(parts)) {
      const write = writers[kind];
      if (write === undefined)
        throw new Error(`${page} asks for ${kind}; known are ${Object.keys(writers).join(', ')}`);
      const written = await write(name);
      text = text.replace(part, () => `${start}\n${written}\n\n${end}`);
    }
    await expectFile(page, text);
  },
);

test('.github/ISSUE_TEMPLATE/event.yml', async () => {
  await expectFile('.github/ISSUE_TEMPLATE/event.yml', issueForm('en'));
});

/** Expects a file to have this text, as `npm run format` would write it. */
async function expectFile(path: string, text: string): Promise<void> {
  const style = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const printWidth = path.endsWith('.md') ? 120 : 100;
  const { code } = await format(path, text, { ...style, printWidth });
  await expect(code).toMatchFileSnapshot(join(root, path));
}

const writers: Readonly<Record<string, (name: string) => Promise<string>>> = {
  keys: async (name) => {
    const texts = Array.from(editorSchemas(), ([kind, text]) => [kind, JSON.parse(text) as Schema]);
    const schemas = Object.fromEntries(texts) as Record<string, Schema>;
    const event = schemas['subject']?.properties?.['events']?.items;
    const place = event?.properties?.['location']?.anyOf?.[0]?.anyOf?.find(
      ({ properties }) => properties,
    );
    const [own = '', other = ''] = name.split(' without ');
    const lists: Record<string, Schema | undefined> = { ...schemas, event, place };
    const schema = lists[own] ?? {};
    const left = lists[other] ?? { properties: { [other]: schema.properties?.[other] ?? {} } };
    return listOf(without(schema, left));
  },
  columns: async () => {
    const optional = columns.filter((column) => !required.includes(column));
    return `${namesOf(required)} are required; ${namesOf(optional)} are optional.`;
  },
  problem: async () => {
    const event = { title: 'Season 3 finale', starts: '2027-02-29' };
    const text = JSON.stringify({ name: 'Severance', events: [event] }, null, 2);
    return `\`\`\`text\n${await problemsOf('severance.json', text)}\`\`\``;
  },
  hosts: async () => supportList(),
  queries: async () => queriesTable(),
  limits: async () => limitsTable(),
};

async function printedBy(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runAlmanac(args, { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Returns what `almanac check` prints about a file in the genre drama-tv. */
async function problemsOf(file: string, text: string): Promise<string> {
  const folder = writeTree(tempFolder(), { ...sample, [`data/tv/drama/${file}`]: text });
  const { code, stdout } = await runAlmanac(['check', '--now', now], { cwd: folder });
  expect(code).toBe(1);
  return stdout;
}

function namesOf(words: readonly string[]): string {
  const names = words.map((word) => `\`${word}\``);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** As much of JSON Schema as the lists of keys and fields need. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** Leaves out the properties that another schema has with the same description. */
function without({ properties = {}, ...schema }: Schema, other: Schema): Schema {
  const own = Object.entries(properties).filter(
    ([key, { description }]) => description !== other.properties?.[key]?.description,
  );
  return { ...schema, properties: Object.fromEntries(own) };
}

/** Lists the properties of a schema, and those of the objects in it by their path. */
function listOf({ properties = {}, required = [] }: Schema, prefix = ''): string {
  const lines = Object.entries(properties).flatMap(([key, schema]) => {
    const note = required.includes(key) ? ' (required)' : isNullable(schema) ? ' (or null)' : '';
    const line = `- \`${prefix}${key}\`${note}: ${schema.description ?? ''}`;
    const inner = schema.properties && listOf({ ...schema, required: [] }, `${prefix}${key}.`);
    return [line, inner ?? []].flat();
  });
  expect(lines).not.toEqual([]);
  return lines.join('\n');
}

function isNullable({ type = [], anyOf = [] }: Schema): boolean {
  return type.includes('null') || anyOf.some(isNullable);
}

/** What each host does not support, with one line for hosts that support the same. */
function supportList(): string {
  const groups = new Map<string, string[]>();
  for (const { name, unsupported, untested = [] } of hosts) {
    const missing = unsupported.length === 0 ? 'everything' : `all but ${abilitiesIn(unsupported)}`;
    const support = `${missing}${untested.length === 0 ? '' : `; not tested: ${abilitiesIn(untested)}`}`;
    groups.set(support, [...(groups.get(support) ?? []), name]);
  }
  return Array.from(groups, ([support, names]) => `- **${names.join(', ')}**: ${support}`).join(
    '\n',
  );
}

function abilitiesIn(list: readonly Ability[]): string {
  return list.map((ability) => abilities[ability]).join(', ');
}

/** What hosts answer in the query form, as far as users need to know. */
function queriesTable(): string {
  const answerOf = ({ unsupported }: Host): string => {
    if (unsupported.length === 0) return 'everything';
    return unsupported.includes('filters')
      ? 'nothing: they ignore queries'
      : '`genre` and `category`, but not `limit`';
  };
  const answers = [...new Set(hosts.map(answerOf))];
  const namesWith = (answer: string): string[] =>
    hosts.filter((host) => answerOf(host) === answer).map(({ name }) => name);
  return tableOf([
    ['hosts', 'answer'],
    ...answers.map((answer) => [namesWith(answer).join(', '), answer]),
  ]);
}

function limitsTable(): string {
  const rows = hosts.flatMap(({ name, limits }) => {
    if (limits === undefined) return [];
    const most = [
      limits.files === undefined ? [] : `${limits.files.toLocaleString('en-US')} files`,
      limits.bytes === undefined ? [] : sizeOf(limits.bytes),
      limits.fileBytes === undefined ? [] : `${sizeOf(limits.fileBytes)} in one file`,
    ].flat();
    return [
      [
        name,
        most.join(', '),
        `[its documentation][${name}-limits]`,
        `[${name}-limits]: ${limits.source}`,
      ],
    ];
  });
  const table = tableOf([['host', 'at most', 'source'], ...rows.map((row) => row.slice(0, 3))]);
  return [table, '', ...rows.map(([, , , link]) => link)].join('\n');
}

function sizeOf(bytes: number): string {
  if (bytes % 2 ** 20 === 0) return `${bytes / 2 ** 20} MiB`;
  return bytes < 1e9 ? `${bytes / 1e6} MB` : `${bytes / 1e9} GB`;
}

function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
