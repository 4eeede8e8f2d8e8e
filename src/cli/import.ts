import { InvalidArgumentError, Option, type Command } from 'commander';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printable, ProblemError } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import { displayPathFrom } from '../system/files.ts';
import type { ImportedFile } from '../source/import.ts';
import { plural, printJson } from './report.ts';
import { chooseNow, readFolder, usage, withCommon, type CommonOptions } from './settings.ts';
import type { Shell } from './shell.ts';

interface Options extends CommonOptions {
  readonly into: string;
  readonly dryRun?: true;
  readonly name?: string;
  readonly column: ReadonlyMap<string, string>;
  readonly issue?: string;
}

export function addImport(program: Command, shell: Shell): void {
  const command = program
    .command('import')
    .argument('[file]', 'a calendar (.ics) or a table (.csv)')
    .description('turn an .ics or .csv file into subject files that you edit from then on')
    .option('--issue <file>', 'instead of a file: a file with the body of an issue that announces an event')
    .option('--into <dir>', 'the folder for the subject files', readFolder, '.')
    .option('--dry-run', 'show what would be written, but write nothing')
    .option('--name <name>', 'the name of the subject, for a calendar or a table without a column "subject"')
    .addOption(
      new Option(
        '--column <theirs=ours>',
        'read the column THEIRS of a table as OURS, or ignore it if OURS is empty; repeatable',
      )
        .argParser(readColumn)
        .default(new Map(), 'none'),
    )
    .action(async (file: string | undefined, _options, self: Command) =>
      chooseImport(shell, file, self.optsWithGlobals()),
    );
  withCommon(command, 'data', 'now', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac import club.ics --dry-run              show the files
  almanac import club.ics --into data/sports/chess
  almanac import dates.csv --into data/tv/drama  one file for each subject of the table
  almanac import shows.csv --column Show=subject --column Date=starts --column Notes=
  almanac import --issue body.md                 the event that an issue announces
`,
  );
}

async function chooseImport(shell: Shell, file: string | undefined, options: Options): Promise<void> {
  if ((file === undefined) === (options.issue === undefined)) {
    const reason = 'name either a file or an issue, as in: almanac import club.ics, or almanac import --issue body.md';
    throw usage(reason);
  }
  if (file !== undefined) return runImport(shell, file, options);
  const { importIssue } = await import('./import-issue.ts');
  return importIssue(shell, options.issue ?? '', options);
}

async function runImport(shell: Shell, file: string, options: Options): Promise<void> {
  const { planImport, writeImport } = await import('../source/import.ts');
  const into = resolve(shell.cwd, options.into);
  const displayPath = displayPathFrom(shell.cwd, '.');
  const now = await chooseNow(shell, options.now);
  const { name = null, column: columns } = options;
  const plan = await planImport({ file: resolve(shell.cwd, file), displayPath, into, now, name, columns });
  const { files, problems } = plan;
  if (problems.length > 0) throw new ProblemError(problems);
  if (!options.dryRun) tryToWrite(() => writeImport(files, into), options.into);
  const listed = files.map((one) => ({ ...one, path: displayPath(join(into, one.name)) }));
  if (options.json) {
    const shown = listed.map(({ path, events, text }) => ({ path, events, text }));
    printJson(shell, { ok: true, files: shown, ...(plan.private > 0 && { private: plan.private }) });
  } else if (!options.quiet) {
    shell.stdout.write(summary(listed, options.dryRun === true));
    if (plan.private > 0)
      shell.stdout.write(`${plural(plan.private, 'upcoming event')} of them marked as private (CLASS)\n`);
    if (!options.dryRun && listed.length > 0 && isWithoutGenre(into))
      shell.stdout.write(genreAdvice(displayPath(into)));
  }
}

/** Reads `Date=starts`. The name of a column may have an equals sign itself. */
function readColumn(written: string, previous: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const at = written.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must look like Date=starts.');
  return new Map([...previous, [written.slice(0, at).trim(), written.slice(at + 1).trim()]]);
}

/** Whether a folder has no metadata file, which a build needs. */
function isWithoutGenre(folder: string): boolean {
  return !existsSync(join(folder, 'genre.json'));
}

function genreAdvice(folder: string): string {
  return `${printable(folder)} has no genre.json: add one with a "name" before the next build\n`;
}

function tryToWrite(write: () => void, path: string): void {
  try {
    write();
  } catch (error) {
    throw new ProblemError([{ code: 'import-failed', place: null, path, reason: failureReason(error) }]);
  }
}

/** Returns the list of files; in a dry run with their content. */
function summary(files: readonly (Pick<ImportedFile, 'events' | 'text'> & { path: string })[], isDry: boolean): string {
  const lines = files.map(({ path, events, text }) => {
    const head = `${isDry ? 'Would write' : 'Wrote'} ${printable(path)}: ${plural(events, 'event')}\n`;
    return isDry ? `${head}${text}` : head;
  });
  return lines.join('') || 'Found no event: nothing to write\n';
}
