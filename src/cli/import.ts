import { InvalidArgumentError, Option, type Command } from 'commander';
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printable, ProblemError } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import { displayPathFrom, readRegular } from '../system/files.ts';
import type { ImportedFile } from '../source/import.ts';
import { addEvent } from './add.ts';
import { plural, printResult } from './report.ts';
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
    .description('convert an .ics or .csv file to subject files, which you edit from then on')
    .option(
      '--issue <file>',
      'instead of a calendar or table: a file with the text of an issue that announces an event',
    )
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
    const found = file === undefined ? 'neither a file nor --issue' : 'a file and --issue';
    throw usage(`found ${found}; expected one of the two, as in almanac import club.ics`);
  }
  if (file !== undefined) return runImport(shell, file, options);
  return importIssue(shell, options.issue ?? '', options);
}

async function runImport(shell: Shell, file: string, options: Options): Promise<void> {
  const { planImport, writeImport } = await import('../source/import.ts');
  const into = resolve(shell.cwd, options.into);
  const displayPath = displayPathFrom(shell.cwd, '.');
  const now = await chooseNow(shell, options.now);
  const { name = null, column: columns } = options;
  const data = resolve(shell.cwd, options.data);
  const plan = await planImport({ file: resolve(shell.cwd, file), data, displayPath, into, now, name, columns });
  const { files, problems } = plan;
  if (problems.length > 0) throw new ProblemError(problems);
  if (!options.dryRun) tryToWrite(() => writeImport(files, into), options.into);
  const listed = files.map((one) => ({ ...one, path: displayPath(join(into, one.name)) }));
  const shown = listed.map(({ path, events, text }) => ({ path, events, text }));
  const document = { files: shown, ...(plan.private > 0 && { private: plan.private }) };
  const marked = `Left out ${plural(plan.private, 'upcoming event')} marked as private (CLASS)\n`;
  // A build needs the metadata file of a genre.
  const needsGenre = !options.dryRun && listed.length > 0 && !existsSync(join(into, 'genre.json'));
  const advice = `${printable(displayPath(into))} has no genre.json; add one with a "name" before the next build\n`;
  const text = [summary(listed, options.dryRun === true), plan.private > 0 && marked, needsGenre && advice];
  printResult(shell, options, document, text.filter((part) => part !== false).join(''));
}

/**
 * Adds the event that an issue announces, whose body is in a file. Creates the subject if it is new, but no genre.
 * Throws every problem, worded for a comment on the issue.
 */
async function importIssue(shell: Shell, file: string, options: Options): Promise<void> {
  const [{ readIssue }, { slug }] = await Promise.all([import('../source/issue.ts'), import('../source/slug.ts')]);
  const issue = readIssue(readBody(shell, file));
  if (typeof issue === 'string') throw badIssue(`${issue}; expected an issue made with the form "Announce an event"`);
  const [category = '', genre = '', ...rest] = issue.place.split('/');
  if (rest.length > 0 || genre === '') {
    throw badIssue(`found the place ${JSON.stringify(issue.place)}; expected {category}/{genre}, such as sports/chess`);
  }
  if (pathPattern.test(issue.subject)) {
    throw badIssue(`found the subject ${JSON.stringify(issue.subject)}, which is a path; expected its name`);
  }
  const subject = slug(issue.subject);
  if (subject === '') {
    throw new ProblemError([{ code: 'no-subject-id', place: null, name: issue.subject, id: subject, most: 64 }]);
  }
  const { subject: name, event } = issue;
  await addEvent(shell, options, { category, genre, subject, name, event, create: 'subject' });
}

/** GitHub allows 65,536 characters in an issue. */
const maxIssueBytes = 1024 * 1024;

function readBody(shell: Shell, file: string): string {
  try {
    return readRegular(realpathSync(resolve(shell.cwd, file)), maxIssueBytes).toString();
  } catch (error) {
    throw new ProblemError([{ code: 'import-failed', place: null, path: file, reason: failureReason(error) }]);
  }
}

function badIssue(reason: string): ProblemError {
  return new ProblemError([{ code: 'bad-issue', place: null, reason }]);
}

/** Matches `/etc`, `../etc` and `sports/chess/club`, but not the names AC/DC and Formula 1 / Sprint. */
const pathPattern = /^([/\\]|[A-Za-z]:\\)|(^|[/\\])\.\.?([/\\]|$)|^[a-z0-9-]+([/\\][a-z0-9-]+)+$/;

/** Reads `Date=starts`. The name of a column may have an equals sign itself. */
function readColumn(written: string, previous: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const at = written.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('expected two columns, such as Date=starts');
  const [theirs, ours] = [written.slice(0, at).trim(), written.slice(at + 1).trim()];
  if (previous.has(theirs)) throw new InvalidArgumentError(`expected the column ${printable(theirs)} once`);
  return new Map([...previous, [theirs, ours]]);
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
  return lines.join('') || 'Found no event; nothing to write\n';
}
