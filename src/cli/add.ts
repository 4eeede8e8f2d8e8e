import type { Command } from 'commander';
import { printable, ProblemError } from '../problem/problem.ts';
import type { NewEvent } from '../source/add.ts';
import { eventFields, type CellField } from '../source/json/event-fields.ts';
import type { EventSource } from '../source/json/types.ts';
import { orDiskProblem } from '../system/failure.ts';
import { printResult } from './report.ts';
import { pathInData, usage, withCommon, type CommonOptions } from './settings.ts';
import { dataFolder, type Shell } from './shell.ts';

interface Options extends CommonOptions, Partial<Record<EventOption, string | true>> {
  readonly name?: string;
  readonly create?: true;
  readonly dryRun?: true;
}

/** The fields of an event that are options. Title and start are arguments. */
type EventOption = Exclude<CellField, 'title' | 'starts'>;
const eventOptions = Object.keys(eventFields).filter(
  (field): field is EventOption => field !== 'title' && field !== 'starts',
);

/** How the help shows some of these options. */
const helpOf: Readonly<Partial<Record<EventOption, readonly [flags: string, help: string]>>> = {
  ends: ['--ends <when>', 'when it ends, written like the start: the last day, or a time such as 22:30'],
  zone: ['--zone <name>', 'the IANA time zone of the start, such as Europe/Berlin'],
  url: ['--url <address>', 'the https page about the event'],
  id: ['--id <id>', 'its id within the subject (default: from the title)'],
  cancelled: ['--cancelled', 'mark the event as cancelled'],
  location: ['--location <name>', 'the name of the place where it happens'],
  status: ['--status <word>', 'confirmed, tentative, postponed or cancelled (default: confirmed)'],
  tags: ['--tags <slugs>', 'its tags, separated by spaces or commas, such as jazz,open-air'],
  description: ['--description <text>', 'plain text about it, up to 2,000 characters'],
  image: ['--image <address>', 'the https address of a picture'],
  attendance: ['--attendance <word>', 'how people attend: in-person, online or hybrid'],
  organizer: ['--organizer <name>', 'who organizes it'],
  source: ['--source <address>', 'the https page from which the facts were taken'],
};

export function addAdd(program: Command, shell: Shell): void {
  const command = program
    .command('add')
    .usage('[options] <subject> <title> <starts>')
    .argument('[subject]', 'the subject as {category}/{genre}/{subject}')
    .argument('[title]', 'the title of the event')
    .argument('[starts]', 'when it starts: 2027-05-08, 2027-05-08T19:30 with --zone, 2027-05, 2027-Q2, 2027-H1 or 2027')
    .description('add an event to a subject file');
  for (const field of eventOptions) {
    const value = eventFields[field].type === 'boolean' ? '' : ' <text>';
    const [flags, help] = helpOf[field] ?? [`--${field}${value}`, `the ${field} of the event`];
    command.option(flags, help);
  }
  command
    .option('--create', 'create the subject, its genre and its category if they are missing')
    .option('--name <text>', 'the name of the subject that --create creates (default: from its id)')
    .option('--dry-run', 'show what would be written, but write nothing')
    .action(
      async (
        path: string | undefined,
        title: string | undefined,
        starts: string | undefined,
        _options,
        self: Command,
      ) => runAdd(shell, [path, title, starts], self.optsWithGlobals()),
    );
  withCommon(command, 'data', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac add sports/chess/club "Open day" 2027-05-08
  almanac add sports/chess/club "Final" 2027-05-09T19:30 --zone Europe/Berlin
  almanac add sports/chess/club "Open air" 2027-06-04 --ends 2027-06-06 --location "Town park"
  almanac add sports/chess/club "Summer party" 2027-Q3 --create --name "Chess club"
`,
  );
}

async function runAdd(shell: Shell, [path, title, starts]: readonly (string | undefined)[], options: Options) {
  if (path === undefined) throw incomplete('found no subject');
  if (title === undefined) throw incomplete('found no title');
  if (starts === undefined) throw incomplete('found no start');
  const names = pathInData(shell, options.data, path) ?? path.split('/');
  const [category = '', genre = '', subject = '', ...rest] = names;
  if (subject === '' || rest.length > 0) throw incomplete(`found the subject ${JSON.stringify(path)}`);
  const given = eventOptions.filter((field) => options[field]);
  const { valueOfText } = await import('../source/rules.ts');
  const values = given.map((field) => [field, valueOfText(eventFields[field], String(options[field]))]);
  const event: EventSource = { title, starts, ...Object.fromEntries(values) };
  const create = options.create ? 'all' : 'nothing';
  await addEvent(shell, options, { category, genre, subject, name: options.name, event, create });
}

/** Adds an event to the data folder, and prints what it wrote. Throws every problem. */
export async function addEvent(shell: Shell, options: CommonOptions & { readonly dryRun?: boolean }, added: NewEvent) {
  const source = await import('../source/add.ts');
  const { dryRun = false } = options;
  const { data, displayPath } = dataFolder(shell, options.data);
  const add = dryRun ? source.planEvent : source.addEvent;
  const { files, problems } = await orDiskProblem('write-failed', async () => add(data, displayPath, added));
  if (problems.length > 0) throw new ProblemError(problems);
  const written = Array.from(files, ([file, { text }]) => ({ path: displayPath(file), text }));
  printResult(shell, options, { files: written }, written.map((file) => describe(file, dryRun)).join(''));
}

function incomplete(found: string): ProblemError {
  return usage(
    `${found}; expected almanac add {category}/{genre}/{subject} {title} {starts}, ` +
      'such as almanac add sports/chess/club "Open day" 2027-05-08 --zone Europe/Berlin',
  );
}

function describe({ path, text }: { path: string; text: string }, isDryRun: boolean): string {
  return isDryRun ? `Would write ${printable(path)}:\n${text}` : `Wrote ${printable(path)}\n`;
}
