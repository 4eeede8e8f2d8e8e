import { readdirSync, readFileSync } from 'node:fs';
import { packagePath, readPackageFile } from '../../system/package.ts';
import type { Generator } from './generator.ts';

/** The values in the files of a new catalogue. */
export interface NewCatalogue {
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Part of the ids of calendar entries and feeds, which stay the same if the address changes. */
  readonly authority: string;
  /** BCP 47. */
  readonly lang: string;
  /** IANA zone of events that do not name one. */
  readonly zone: string | null;
  /** The date of the example event, `YYYY-MM-DD`. */
  readonly exampleDate: string;
  readonly generator: Generator;
}

/** Returns the files of a new catalogue by path, with copies of the JSON Schemas by name and of the issue form. */
export function catalogueFiles(
  catalogue: NewCatalogue,
  schemas: ReadonlyMap<string, string>,
  issueForm: string,
): ReadonlyMap<string, string | Uint8Array> {
  const { exampleDate, generator } = catalogue;
  const { vendored } = generator;
  const values = { NAME: catalogue.name, DATE: exampleDate, YEAR: String(Number(exampleDate.slice(0, 4)) + 1) };
  return new Map<string, string | Uint8Array>([
    ...(vendored === undefined ? [] : ([[vendored.path, readFileSync(vendored.from)]] as const)),
    ['package.json', packageJson(catalogue)],
    ...templates.map(([file, path]): [string, string] => [path, fill(readPackageFile(`lib/init/${file}`), values)]),
    ...workflowFiles(),
    ['.github/ISSUE_TEMPLATE/event.yml', issueForm],
    ['.vscode/settings.json', json(editorSettings())],
    ['data/service.json', serviceJson(catalogue)],
    ...Array.from(schemas, ([name, text]): [string, string] => [`data/.schemas/${name}.schema.json`, text]),
  ]);
}

/** The template files. npm renames a packed `.gitignore`, so theirs have no dot. */
const templates: readonly (readonly [template: string, path: string])[] = [
  ['README.md', 'README.md'],
  ['gitignore', '.gitignore'],
  ['gitattributes', '.gitattributes'],
  ['dependabot.yml', '.github/dependabot.yml'],
  ['category.json', 'data/example/category.json'],
  ['genre.json', 'data/example/fairs/genre.json'],
  ['spring-fair.json', 'data/example/fairs/spring-fair.json'],
];

/** The workflows that run a catalogue, and the problem matcher of one. */
function workflowFiles(): [path: string, text: string][] {
  const names = readdirSync(packagePath('lib/init/workflows'));
  const matcher = 'problem-matcher.json';
  return [
    ...names.map((name): [string, string] => [
      `.github/workflows/${name}`,
      readPackageFile(`lib/init/workflows/${name}`),
    ]),
    [`.github/${matcher}`, readPackageFile(`lib/init/${matcher}`)],
  ];
}

/** Replaces `$NAME` and so on by the values of these names. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$([A-Z]+)\b/g, (marker, key: string) => values[key] ?? marker);
}

function packageJson({ name, generator }: NewCatalogue): string {
  return json({
    private: true,
    description: name,
    type: 'module',
    scripts: {
      almanac: 'almanac',
      build: 'almanac build',
      check: 'almanac check',
      start: 'almanac serve --watch',
    },
    dependencies: { [generator.dependency]: generator.version },
  });
}

/** The files in the places where editors look for their schemas. */
function editorSettings(): object {
  const schema = (name: string, ...fileMatch: string[]): object => ({
    fileMatch,
    url: `./data/.schemas/${name}.schema.json`,
  });
  return {
    'json.schemas': [
      schema('service', '/data/service.json'),
      schema('category', '/data/*/category.json'),
      schema('genre', '/data/*/*/genre.json'),
      schema('source', '/data/*/*/*.source.json'),
      schema('columns', '/data/*/*/*.columns.json'),
      schema(
        'subject',
        '/data/*/*/*.json',
        '!/data/*/*/genre.json',
        ...['source', 'columns'].map((kind) => `!/data/*/*/*.${kind}.json`),
      ),
    ],
  };
}

function serviceJson({ name, baseUrl, authority, lang, zone }: NewCatalogue): string {
  return json({
    $schema: './.schemas/service.schema.json',
    name,
    license: 'Free to use, with no key required. Please use it reasonably.',
    base_url: baseUrl,
    lang,
    ...(zone !== null && { zone }),
    authority,
  });
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
