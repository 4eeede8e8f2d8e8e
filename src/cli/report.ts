import { styleText } from 'node:util';
import {
  isNote,
  printable,
  ProblemError,
  problemLine,
  problemMessage,
  type Problem,
} from '../problem/problem.ts';
import type { ChangeCounts } from '../api/change-kinds.ts';
import { joinLines } from '../api/text.ts';
import { groupBy } from '../catalogue/group.ts';
import { count, plural } from '../problem/text.ts';
import type { CommonOptions } from './settings.ts';
import type { Shell } from './shell.ts';

/**
 * Prints one JSON document on stdout. Characters that control a terminal are escaped, which keeps
 * its value.
 */
export function printJson(shell: Shell, document: unknown): void {
  shell.stdout.write(`${printable(JSON.stringify(document))}\n`);
}

/** What a command has to say when it has succeeded. */
interface CommandResult {
  /** What `--json` prints. */
  readonly document: object;
  /** What a reader sees. */
  readonly text: string;
  readonly warnings?: readonly Problem[];
}

/** Prints the result of a command, but no text with `--quiet`. */
export function printResult(
  shell: Shell,
  { json, quiet }: OutputOptions,
  { document, text, warnings = [] }: CommandResult,
): void {
  if (json)
    printJson(shell, {
      ok: true,
      ...document,
      ...warningsDocument(warnings),
    });
  else if (!quiet && text !== '') shell.stdout.write(text);
  if (!quiet) printWarnings(shell, warnings);
}

type OutputOptions = Pick<CommonOptions, 'json' | 'quiet'>;

/**
 * Returns the document that `--json` prints for a failure. Its texts are safe to print after they
 * are parsed.
 */
export function failureDocument(problems: readonly Problem[]) {
  const reported = problems.map((problem) => {
    const { file, line, column } = problem.place ?? { file: null, line: null, column: null };
    const message = problemMessage(problem);
    return {
      code: problem.code,
      file: file && printable(file),
      line,
      column,
      message,
    };
  });
  return { ok: false, problems: reported };
}

/**
 * Returns the `warnings` in the document of a successful command, which are left out if there are
 * none.
 */
export function warningsDocument(warnings: readonly Problem[]): object {
  if (warnings.length === 0) return {};
  return { warnings: failureDocument(warnings).problems };
}

/** Returns the problems of an error. Any other error becomes the problem `unexpected`. */
export function problemsIn(error: unknown): readonly Problem[] {
  if (error instanceof ProblemError) return error.problems;
  const isFolderGone = error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
  if (isFolderGone) return [{ code: 'working-folder-gone', place: null }];
  return [{ code: 'unexpected', place: null, reason: String(error) }];
}

/** A fix that resolves many problems of one kind, and the value they share. */
const cures: Readonly<Partial<Record<Problem['code'], string>>> = {
  'zone-missing': joinLines(`found clock times without a zone;
    "zone" in service.json, genre.json or their file
    gives all of them one`),
};

/**
 * Prints problems for people: a line for each, or for the first of many with the same sentence or
 * fix.
 */
export function printProblems(stream: NodeJS.WriteStream, problems: readonly Problem[]): void {
  const sentenceOf = (problem: Problem) => cures[problem.code] ?? problemMessage(problem);
  const groups = groupBy(problems, sentenceOf);
  const hidden = new Set([...groups.values()].flatMap(hiddenOf));
  const visible = problems.filter((problem) => !hidden.has(problem));
  stream.write(visible.map((problem) => `${coloured(stream, problem)}\n`).join(''));
  for (const [sentence, group] of groups) {
    const { length } = hiddenOf(group);
    if (length > 0) stream.write(`${count(length)} more: ${sentence}\n`);
  }
  const { size: files } = new Set(problems.flatMap(({ place }) => place?.file ?? []));
  if (files > 0)
    stream.write(`${plural(problems.length, 'problem')} in ${plural(files, 'file')}\n`);
}

/** Returns the problems of a group that are only counted. */
function hiddenOf(group: readonly Problem[]): readonly Problem[] {
  return group.length > 5 ? group.slice(3) : [];
}

function coloured(stream: NodeJS.WriteStream, problem: Problem): string {
  const line = problemLine(problem);
  if (!stream.isTTY || !stream.hasColors()) return line;
  if (problem.place === null) return styleText('red', line);
  const message = problemMessage(problem);
  const place = line.slice(0, -message.length);
  return styleText('bold', place) + styleText('red', message);
}

/**
 * Prints warnings on stderr: of more than five of a kind only the first three and their number.
 * Prints all notes.
 */
export function printWarnings(shell: Shell, problems: readonly Problem[]): void {
  for (const [kind, ofKind] of groupBy(problems, ({ code }) => code)) {
    const label = ofKind.every(isNote) ? 'note' : 'warning';
    const { length } = label === 'note' ? [] : hiddenOf(ofKind);
    const visible = ofKind.slice(0, ofKind.length - length);
    for (const problem of visible) shell.stderr.write(`${label}: ${problemLine(problem)}\n`);
    if (length === 0) continue;
    const more = `${count(length)} more of the kind ${kind}`;
    shell.stderr.write(`warning: ${more}; --json lists all\n`);
  }
}

/** Formats a number of bytes for people, in decimal units. */
export function size(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const unit = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${(bytes / 1000 ** unit).toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}

/** Returns the numbers of changes for people: `3 cancelled, 2 moved`. */
export function describeCounts(counts: ChangeCounts): string {
  return Object.entries(counts)
    .map(([kind, number]) => `${count(number)} ${kind}`)
    .join(', ');
}

/**
 * Runs long work and shows its progress in a line of the terminal: first after a second, then ten
 * times a second.
 */
export async function withProgress<Result>(
  shell: Shell,
  { quiet }: Pick<CommonOptions, 'quiet'>,
  unit: string,
  work: (onStep: (done: number, of: number) => void) => Promise<Result>,
): Promise<Result> {
  let nextReport = shell.stopwatch() + 900;
  let isShowing = false;
  const onStep = (done: number, of: number): void => {
    if (quiet || !shell.stderr.isTTY || shell.stopwatch() - nextReport < 100) return;
    nextReport = shell.stopwatch();
    isShowing = true;
    shell.stderr.write(`\r\u001b[K${unit} ${done} of ${of}`);
  };
  try {
    return await work(onStep);
  } finally {
    if (isShowing) shell.stderr.write('\r\u001b[K');
  }
}
