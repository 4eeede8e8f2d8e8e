import type { Command } from 'commander';
import { join, resolve } from 'node:path';
import { printable, ProblemError } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import { displayPathFrom } from '../system/files.ts';
import { writeFiles } from '../system/write.ts';
import { plural, printJson, printResult } from './report.ts';
import { usage, withCommon, type CommonOptions } from './settings.ts';
import type { Shell } from './shell.ts';

interface Options extends CommonOptions {
  /** True if no folder is named. */
  readonly write?: string | true;
}

export function addSchema(program: Command, shell: Shell): void {
  const command = program
    .command('schema')
    .description('print or write the JSON Schemas of the source files, for editors')
    .argument(
      '[name]',
      'service, category, genre, subject, naming, columns, source, collections, or form for the issue form that announces an event (default: all schemas in one document)',
    )
    .option('--write [dir]', 'write all schemas as {name}.schema.json (default: to .schemas in the data folder)')
    .action(async (name: string | undefined, _options, self: Command) =>
      runSchema(shell, name, self.optsWithGlobals()),
    );
  withCommon(command, 'data', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac schema subject          the schema of a subject file, on stdout
  almanac schema --write          into data/.schemas, to which the starter data refers
  almanac schema --write schemas  into another folder
  almanac schema form             the issue form that announces an event, as YAML
`,
  );
}

async function runSchema(shell: Shell, name: string | undefined, options: Options): Promise<void> {
  // Loaded late, because loading zod takes longer than most commands.
  const { editorSchemas } = await import('../source/json/schemas.ts');
  if (options.write === undefined) {
    const text = await textFor(editorSchemas(), name);
    // The form is YAML. A schema is one JSON document in any case.
    if (name === 'form' && options.json) printJson(shell, { ok: true, text });
    else shell.stdout.write(text);
    return;
  }
  if (name !== undefined)
    throw usage('found a name and --write, which writes every schema; expected no name, or the folder after --write');
  const folder = options.write === true ? join(options.data, '.schemas') : options.write;
  const displayPath = displayPathFrom(shell.cwd, folder);
  try {
    const texts = Array.from(editorSchemas(), ([kind, text]) => [`${kind}.schema.json`, text] as const);
    const base = options.write === true ? resolve(shell.cwd, options.data) : shell.cwd;
    writeFiles(resolve(shell.cwd, folder), base, Object.fromEntries(texts));
    const files = texts.map(([path]) => displayPath(path));
    const text = `Wrote ${plural(files.length, 'schema')} to ${printable(displayPath(''))}\n`;
    printResult(shell, options, { files }, text);
  } catch (error) {
    throw new ProblemError([
      { code: 'schemas-not-written', place: null, folder: displayPath(''), reason: failureReason(error) },
    ]);
  }
}

async function textFor(schemas: ReadonlyMap<string, string>, name: string | undefined): Promise<string> {
  if (name === 'form') return (await import('../source/issue.ts')).issueForm();
  if (name === undefined) {
    const parsed = Array.from(schemas, ([key, text]) => [key, JSON.parse(text) as unknown]);
    return `${JSON.stringify(Object.fromEntries(parsed), null, 2)}\n`;
  }
  const text = schemas.get(name);
  if (text !== undefined) return text;
  const { nearest } = await import('../problem/nearest.ts');
  const [names, near] = [[...schemas.keys()], nearest(name, [...schemas.keys()])];
  throw usage(
    `found no schema ${JSON.stringify(name)}; expected one of ${names.join(', ')}${near === null ? '' : `; did you mean ${near}?`}`,
  );
}
