import { readdirSync, readFileSync } from 'node:fs';
import { nameOfSlug } from '../../catalogue/id.ts';
import { languages, type Language } from '../../catalogue/model.ts';
import { packagePath, readPackageFile } from '../../system/package.ts';

/** The package from which a catalogue installs almanac. */
export interface Generator {
  readonly dependency: string;
  /** A semver range, or the `file:` path of a vendored tarball. */
  readonly version: string;
  /** A tarball that the catalogue holds: its path there, and where it is now. */
  readonly vendored?: { readonly path: string; readonly from: string };
}

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
  /** The ids of the first category and genre. */
  readonly category: string;
  readonly genre: string;
}

/** Returns the files of a new catalogue by path. */
export function catalogueFiles(
  catalogue: NewCatalogue,
  issueForm: string,
): ReadonlyMap<string, string | Uint8Array> {
  const { exampleDate, generator, category, genre } = catalogue;
  const words = JSON.parse(readPackageFile('lib/init/words.json')) as Record<
    Language,
    Record<string, string>
  >;
  const language =
    languages.find((candidate) => candidate === catalogue.lang.split('-')[0]) ?? 'en';
  const { vendored } = generator;
  const values = {
    ...words[language],
    ...(category !== 'example' && { CATEGORY: nameOfSlug(category) }),
    ...(genre !== 'fairs' && { GENRE: nameOfSlug(genre) }),
    NAME: catalogue.name,
    DATE: exampleDate,
    YEAR: String(Number(exampleDate.slice(0, 4)) + 1),
    SCHEMAS: schemaFolder(generator),
  };
  // The templates call them example and fairs.
  const place = (text: string) =>
    text
      .replaceAll('example/fairs', `${category}/${genre}`)
      .replaceAll('data/example/', `data/${category}/`)
      .replaceAll('`example`', `\`${category}\``)
      .replaceAll('`fairs`', `\`${genre}\``);
  return new Map<string, string | Uint8Array>([
    ...(vendored === undefined ? [] : ([[vendored.path, readFileSync(vendored.from)]] as const)),
    ['package.json', packageJson(catalogue)],
    ['README.md', place(fill(readPackageFile(`lib/init/README.${language}.md`), values))],
    ...templates.map(([file, path]): [string, string] => [
      place(path),
      place(fill(readPackageFile(`lib/init/${file}`), values)),
    ]),
    ...workflowFiles(),
    ['.github/ISSUE_TEMPLATE/event.yml', issueForm],
    ['data/service.json', serviceJson(catalogue, words[language]['LICENSE'] ?? '')],
  ]);
}

/** The template files. npm renames a packed `.gitignore`, so theirs have no dot. */
const templates: readonly (readonly [template: string, path: string])[] = [
  ['AGENTS.md', 'AGENTS.md'],
  ['vscode.json', '.vscode/settings.json'],
  ['gitignore', '.gitignore'],
  ['gitattributes', '.gitattributes'],
  ['dependabot.yml', '.github/dependabot.yml'],
  ['category.json', 'data/example/category.json'],
  ['genre.json', 'data/example/fairs/genre.json'],
  ['spring-fair.json', 'data/example/fairs/spring-fair.json'],
];

function workflowFiles(): [path: string, text: string][] {
  const names = readdirSync(packagePath('lib/init/workflows'));
  return names.map((name) => [
    `.github/workflows/${name}`,
    readPackageFile(`lib/init/workflows/${name}`),
  ]);
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

/** The folder of the JSON Schemas in a catalogue that has installed almanac. */
function schemaFolder({ dependency }: Generator): string {
  return `node_modules/${dependency}/lib/schemas`;
}

function serviceJson(
  { name, baseUrl, authority, lang, zone, generator }: NewCatalogue,
  license: string,
): string {
  return json({
    $schema: `../${schemaFolder(generator)}/service.schema.json`,
    name,
    license,
    base_url: baseUrl,
    lang,
    ...(zone !== null && { zone }),
    authority,
  });
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
