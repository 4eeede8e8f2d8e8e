import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printable, ProblemError } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import type { ImportedFile } from '../source/import.ts';
import { plural, printJson } from './report.ts';
import { chooseNow, readFolder, withCommon, type CommonOptions } from './settings.ts';
import { displayPathIn, type Shell } from './shell.ts';

interface Options extends CommonOptions {
  readonly into: string;
  readonly dryRun?: true;
}

export function addImport(program: Command, shell: Shell): void {
  const command = program
    .command('import')
    .argument('<file>', 'a calendar (.ics) or a table (.csv)')
    .description('an .ics or .csv file as subject files, to own its data')
    .option('--into <dir>', 'the folder that the subject files go to', readFolder, '.')
    .option('--dry-run', 'show what would be written, write nothing')
    .action(async (file: string, options: Options) => runImport(shell, file, options));
  withCommon(command, 'now', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac import club.ics --dry-run              what it would write
  almanac import club.ics --into data/sports/chess
  almanac import dates.csv --into data/tv/drama  a file for each subject of the table
`,
  );
}

async function runImport(shell: Shell, file: string, options: Options): Promise<void> {
  const { planImport, writeImport } = await import('../source/import.ts');
  const into = resolve(shell.cwd, options.into);
  const displayPath = displayPathIn(shell, '.');
  const now = await chooseNow(shell, options.now);
  const { files, problems } = await planImport({ file: resolve(shell.cwd, file), displayPath, into, now });
  if (problems.length > 0) throw new ProblemError(problems);
  if (!options.dryRun) tryToWrite(() => writeImport(files, into), options.into);
  const listed = files.map(({ name, events, text }) => ({ path: displayPath(join(into, name)), events, text }));
  if (options.json) printJson(shell, { ok: true, files: listed });
  else if (!options.quiet) {
    shell.stdout.write(summary(listed, options.dryRun === true));
    if (!options.dryRun && listed.length > 0 && isGenreless(into)) shell.stdout.write(genreWanted(displayPath(into)));
  }
}

/** Whether a folder is no genre yet: a build refuses it without a name. */
function isGenreless(folder: string): boolean {
  return !existsSync(join(folder, 'genre.json'));
}

function genreWanted(folder: string): string {
  return `${printable(folder)} has no genre.json: the next build wants one, with a "name"\n`;
}

function tryToWrite(write: () => void, path: string): void {
  try {
    write();
  } catch (error) {
    throw new ProblemError([{ code: 'import-failed', place: null, path, reason: failureReason(error) }]);
  }
}

/** What was written; what would be, with every line of it. */
function summary(files: readonly (Pick<ImportedFile, 'events' | 'text'> & { path: string })[], isDry: boolean): string {
  const lines = files.map(({ path, events, text }) => {
    const head = `${isDry ? 'Would write' : 'Wrote'} ${printable(path)}: ${plural(events, 'event')}\n`;
    return isDry ? `${head}${text}` : head;
  });
  return lines.join('') || 'Found no event: nothing to write\n';
}
