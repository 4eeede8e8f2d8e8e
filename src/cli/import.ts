import { styleText } from 'node:util';
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printable, ProblemError, problemError } from '../problem/problem.ts';
import { plural } from '../problem/text.ts';
import type { ShownColumn } from '../authoring/import/shown.ts';
import { failureReason } from '../system/failure.ts';
import { displayPathFrom, readRegular } from '../system/files.ts';
import { proposeSource } from '../authoring/import/address.ts';
import type { ImportPlan } from '../authoring/import/plan.ts';
import { addEvent, describeFile } from './add.ts';
import { orProblem, usage, type Command, type OptionTable, type Values } from './command.ts';
import { printResult } from './report.ts';
import { chooseNow, common, pathInData, output } from './settings.ts';
import { dataFolder, type Shell } from './shell.ts';

type Column = readonly [theirs: string, ours: string];

const table = {
  into: {
    flag: '--into GENRE',
    help: 'the genre that gets the file, as CATEGORY/GENRE',
    read: (text: string) => text || undefined,
    expected: 'CATEGORY/GENRE, such as sports/chess',
  },
  column: {
    flag: '--column THEIRS=OURS',
    help: `read the column THEIRS of a table as OURS,
      or ignore it if OURS is empty; repeatable`,
    isRepeatable: true,
    // The name of a column may have an equals sign itself.
    read: (text: string): Column | undefined => {
      const at = text.lastIndexOf('=');
      if (at < 1) return undefined;
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    },
    expected: 'two columns, such as Date=starts',
  },
  name: {
    flag: '--name NAME',
    help: `the name of the subject, for a calendar
      or a table without a column "subject"`,
  },
  zone: {
    flag: '--zone ZONE',
    help: 'the time zone of the rows of a table that do not name one',
  },
  replace: {
    flag: '--replace NAME',
    help: 'the earlier table that FILE replaces, if it has another name',
  },
  beside: {
    flag: '--beside',
    help: 'keep an earlier table that has the same events',
  },
  dryRun: {
    flag: '--dry-run',
    help: 'show what would be written, but write nothing',
  },
  issue: {
    flag: '--issue FILE',
    help: 'instead of FILE: the text of an issue that announces an event',
  },
  data: common.data,
  now: common.now,
  ...output,
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const importFile: Command<Options> = {
  name: 'import',
  summary: 'add a calendar or table to the catalogue; guesses what the columns mean',
  arguments: [
    {
      flag: '[FILE]',
      help: `a calendar (.ics), a table (.csv),
        a list (.json, .yaml, .toml) or a folder of pages`,
    },
  ],
  options: table,
  examples: `  almanac import fixtures.csv --into sports/football --dry-run   show how its columns would be read
  almanac import fixtures.csv --into sports/football             the table, and what its columns mean
  almanac import matches.json --into sports/football             a list of objects is a table too
  almanac import _data/events.yml --into town/dates              and so are the dates of a static site
  almanac import content/events --into town/dates
  almanac import club.ics --into sports/chess
  almanac import shows.csv --into tv/drama --column Show=subject --column Notes=
  almanac import --issue body.md                                 the event that an issue announces
`,
  run: async (shell, [file], options) => {
    if ((file === undefined) === (options.issue === undefined)) {
      const what = file === undefined ? 'neither a file nor --issue' : 'a file and --issue';
      throw usage(`found ${what};
        expected one of the two, such as almanac
        import club.ics --into sports/chess`);
    }
    if (file === undefined) return importIssue(shell, options.issue ?? '', options);
    if (/^[a-z]+:\/\//i.test(file)) throw addressInsteadOfFile(file, options);
    return runImport(shell, file, options);
  },
};

async function runImport(shell: Shell, file: string, options: Options): Promise<void> {
  const [{ planImport, writeImport }, { readDefaultZone }] = await Promise.all([
    import('../authoring/import/import.ts'),
    import('../source/validate.ts'),
  ]);
  const genre = genreOf(shell, options);
  const folder = dataFolder(shell, options.data);
  const into = join(folder.data, genre);
  const displayPath = displayPathFrom(shell.cwd, '.');
  const plan = await planImport({
    data: folder.data,
    displayPath,
    into,
    file: resolve(shell.cwd, file),
    now: await chooseNow(shell, options.now),
    zone: readDefaultZone(folder, genre),
    name: options.name ?? null,
    ownZone: options.zone ?? null,
    columns: new Map(options.column),
    replaced: options.replace ?? null,
    isBeside: options.beside === true,
  });
  if (options.dryRun !== true)
    orProblem('import-failed', displayPath(into), () => writeImport(plan, into));
  printPlan(shell, plan, into, options);
}

function printPlan(shell: Shell, plan: ImportPlan, into: string, options: Options): void {
  const { guess, columns = [], private: privateEvents = 0, warnings } = plan;
  const { mapping, doubts = [], unpublished = [] } = guess ?? {};
  const displayPath = displayPathFrom(shell.cwd, '.');
  const shownFiles = plan.files.filter(({ isShown }) => isShown !== false);
  const files = shownFiles.map(({ name, events, content, isShown }) => {
    const path = isShown === undefined ? name : name.replace(/\/.*/, '');
    return {
      path: displayPath(join(into, path)),
      ...(events !== null && { events }),
      ...(typeof content === 'string' && { text: content }),
    };
  });
  const document = {
    files,
    private: privateEvents || undefined,
    ...(columns.length > 0 && { columns }),
    ...(mapping && {
      mapping,
      not_published: unpublished,
      unclear: doubts,
    }),
  };
  const done = plan.replaces === true ? 'Replaced' : 'Wrote';
  const verb = options.dryRun ? 'Would write' : done;
  const lines = files.map((file) => describeFile(file, verb));
  lines.push(...columnLines(columns, shell.stdout));
  if (unpublished.length > 0) lines.push(`Not published: ${printable(unpublished.join(', '))}\n`);
  if (privateEvents > 0) {
    const events = plural(privateEvents, 'upcoming event');
    lines.push(`Left out ${events} marked as private (CLASS)\n`);
  }
  if (doubts.length > 0) lines.push('Unclear:\n');
  lines.push(...doubts.map((doubt) => `  ${printable(doubt)}\n`));
  if (mapping !== undefined && !options.dryRun)
    lines.push('Correct what is wrong in the mapping, then run almanac check\n');
  const text = lines.join('');
  printResult(shell, options, { document, text, warnings });
}

/** Returns a line for each column: its name, what it is, and its first values as they are read. */
function columnLines(columns: readonly ShownColumn[], stdout: NodeJS.WriteStream): string[] {
  const width = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));
  const names = width(columns.map(({ name }) => name));
  const fields = width(columns.map(({ field }) => field));
  const isColoured = stdout.isTTY && stdout.hasColors();
  return columns.map(({ name, field, values }) => {
    const padded = field.padEnd(fields);
    const kind = isColoured ? styleText('green', padded) : padded;
    const line = `  ${name.padEnd(names)}  ${kind}  ${values.join(' · ')}`;
    return `${printable(line.trimEnd())}\n`;
  });
}

/** Returns the problem of an address: `import` reads files, and a source is fetched every night. */
function addressInsteadOfFile(address: string, { into = 'CATEGORY/GENRE' }: Options): ProblemError {
  const { shown, kind, condition, source } = proposeSource(address);
  const steps = [
    condition,
    source && `write data/${into}/NAME.source.json with ${JSON.stringify(source)}`,
  ];
  const what = kind === null ? '' : `, which is ${kind}`;
  return usage(`found the address
    ${JSON.stringify(shown)}${what};
    expected a file;
    to fetch it every night instead,
    ${steps.filter((step) => step !== null).join(' and ')}`);
}

/**
 * Returns the folder of the genre of `--into`, relative to the data folder. Throws the problem
 * `usage`.
 */
function genreOf(shell: Shell, { data, into }: Options): string {
  if (into === undefined)
    throw usage(`found no --into;
      expected the genre that gets the file,
      such as --into sports/chess`);
  const parts = pathInData(shell, data, into);
  if (parts?.length === 2) return parts.join('/');
  throw usage(`found --into ${JSON.stringify(into)};
    expected CATEGORY/GENRE in the data folder,
    such as sports/chess`);
}

/**
 * Adds the event that an issue announces, and its subject if it is new. Throws problems worded for
 * the issue.
 */
async function importIssue(shell: Shell, file: string, options: Options): Promise<void> {
  const [{ findGenre, readIssue, refusalText, withoutClock }, { readDefaultZone }] =
    await Promise.all([import('../authoring/issue.ts'), import('../source/validate.ts')]);
  const body = readBody(shell, file);
  const issue = readIssue(body);
  if ('reason' in issue) throw badIssue(refusalText(body, issue));
  const folder = dataFolder(shell, options.data);
  const place = findGenre(folder.data, issue.genre);
  if ('reason' in place) throw badIssue(refusalText(body, place));
  const [category, genre] = place;
  const zone = readDefaultZone(folder, place.join('/'));
  const event = zone === null ? withoutClock(issue.event) : issue.event;
  await addEvent(shell, options, {
    category,
    genre,
    subject: issue.subject,
    name: event.title,
    event,
    create: 'subject',
  });
}

/** GitHub allows 65,536 characters in an issue. */
const maxIssueBytes = 1024 * 1024;

function readBody(shell: Shell, file: string): string {
  try {
    return readRegular(realpathSync(resolve(shell.cwd, file)), maxIssueBytes).toString();
  } catch (error) {
    throw badIssue(`cannot read the issue: ${file}: ${failureReason(error)}`);
  }
}

function badIssue(reason: string): ProblemError {
  return problemError({ code: 'bad-issue', reason });
}
