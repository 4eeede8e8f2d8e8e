import { printable, ProblemError } from '../problem/problem.ts';
import { plural } from '../problem/text.ts';
import type { NewEvent } from '../authoring/add.ts';
import { orDiskProblem } from '../system/failure.ts';
import { usage, type Command, type OptionTable, type Values } from './command.ts';
import { printResult } from './report.ts';
import { common, pathInData, type CommonOptions, output } from './settings.ts';
import { dataFolder, type Shell } from './shell.ts';

type AddOptions = Pick<CommonOptions, 'data' | 'json' | 'quiet'>;

const table = {
  ends: {
    flag: '--ends WHEN',
    help: `when it ends, written like the start:
      the last day, or a time such as 22:30`,
  },
  zone: {
    flag: '--zone NAME',
    help: `the IANA time zone of the start
      (default: that of the subject, genre or service)`,
  },
  location: {
    flag: '--location NAME',
    help: 'the name of the place where it happens',
  },
  url: {
    flag: '--url URL',
    help: 'the https page about the event',
  },
  id: {
    flag: '--id ID',
    help: 'its id within the subject (default: from the title)',
  },
  create: {
    flag: '--create',
    help: 'create the subject, its genre and its category if they are missing',
  },
  data: common.data,
  ...output,
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const add: Command<Options> = {
  name: 'add',
  summary: 'add an event to a subject file',
  arguments: [
    {
      flag: '[SUBJECT]',
      help: 'the subject as CATEGORY/GENRE/SUBJECT',
    },
    {
      flag: '[TITLE]',
      help: `the title of the event;
        - reads the event as JSON from stdin`,
    },
    {
      flag: '[STARTS]',
      help: `when it starts: 2027-05-08, 2027-05-08T19:30,
        or 2027-05, 2027-Q2, 2027-H1, 2027`,
    },
  ],
  options: table,
  examples: `  almanac add sports/chess/club "Open day" 2027-05-08
  almanac add sports/chess/club "Final" 2027-05-09T19:30 --zone Europe/Berlin
  almanac add sports/chess/club "Open air" 2027-06-04 --ends 2027-06-06 --location "Town park"
  almanac add sports/chess/club "Summer party" 2027-Q3 --create
  echo '{ "subject": "sports/chess/club", "title": "Open day", "starts": "2027-05-08" }' | almanac add --json -
`,
  async run(shell, args, options) {
    const { data, json: _json, quiet: _quiet, create, ...fields } = options;
    const isInput = args.at(-1) === '-' && args.length < 3;
    const [path, title, starts] = isInput ? [args.length === 2 ? args[0] : undefined] : args;
    const input: Input = isInput ? readInput(shell) : { title, starts };
    const { subject = path, name, ...event }: Input = { ...input, ...fields };
    if (typeof subject !== 'string') throw incomplete('found no subject');
    if (event['title'] === undefined) throw incomplete('found no title');
    if (event['starts'] === undefined) throw incomplete('found no start');
    const names = pathInData(shell, data, subject) ?? subject.split('/');
    const [category = '', genre = '', id = ''] = names;
    if (id === '' || names.length > 3)
      throw incomplete(`found the subject ${JSON.stringify(subject)}`);
    await addEvent(shell, options, {
      category,
      genre,
      subject: id,
      name,
      event: event as unknown as NewEvent['event'],
      create: create ? 'all' : 'nothing',
    });
  },
};

/**
 * The event that stdin has: the path of its subject, the name of a new subject, and the fields of
 * the event.
 */
interface Input extends Readonly<Record<string, unknown>> {
  readonly subject?: unknown;
  readonly name?: string;
}

function readInput(shell: Shell): Input {
  try {
    const value: unknown = JSON.parse(shell.readInput());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Reported below.
  }
  throw usage(`found no JSON object on stdin;
    expected {"subject": "sports/chess/club",
    "title": …, "starts": …}`);
}

/** Adds an event to the data folder, and prints what it wrote. Throws every problem. */
export async function addEvent(
  shell: Shell,
  options: AddOptions & { readonly dryRun?: boolean | undefined },
  added: NewEvent,
): Promise<void> {
  const source = await import('../authoring/add.ts');
  const { dryRun = false } = options;
  const { data, displayPath } = dataFolder(shell, options.data);
  const run = dryRun ? source.planEvent : source.addEvent;
  const files = await orDiskProblem('write-failed', async () => run(data, displayPath, added));
  const plans = Array.from(files, ([file, text]) => ({ path: displayPath(file), text }));
  const lines = plans.map((file) => describeFile(file, dryRun ? 'Would write' : 'Wrote'));
  printResult(shell, options, {
    document: { files: plans },
    text: lines.join(''),
  });
}

/**
 * Says what was done with a file. Shows the text of one that was not written, and of a mapping,
 * which is a guess.
 */
export function describeFile(
  file: { path: string; events?: number; text?: string },
  verb: string,
): string {
  const { path, events, text = '' } = file;
  const amount = events === undefined ? '' : `: ${plural(events, 'event')}`;
  const isShown = verb === 'Would write' || path.endsWith('.columns.json');
  return `${verb} ${printable(path)}${amount}\n${isShown ? text : ''}`;
}

function incomplete(what: string): ProblemError {
  return usage(`${what};
    expected almanac add CATEGORY/GENRE/SUBJECT
    TITLE STARTS, such as almanac add
    sports/chess/club "Open day" 2027-05-08;
    see almanac add --help`);
}
