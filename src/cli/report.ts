import { styleText } from 'node:util';
import { problemLine, problemMessage, printable, ProblemError, type Problem } from '../problem/problem.ts';
import { isLocal } from '../catalogue/url.ts';
import { plural } from '../render/pages/dates.ts';
import type { Shell } from './shell.ts';

export { plural };

/** A problem as `--json` shows it. */
export interface ReportedProblem {
  readonly code: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** One JSON document on stdout; what a terminal would obey stands in it escaped, which in JSON is the same. */
export function printJson(shell: Shell, document: unknown): void {
  shell.stdout.write(`${printable(JSON.stringify(document))}\n`);
}

/** What a failure is with `--json`. */
export function failureDocument(problems: readonly Problem[]): { ok: false; problems: ReportedProblem[] } {
  return {
    ok: false,
    problems: problems.map((problem) => ({
      code: problem.code,
      file: problem.place?.file ?? null,
      line: problem.place?.line ?? null,
      column: problem.place?.column ?? null,
      message: problemMessage(problem),
    })),
  };
}

/** The problems that were thrown; what else was is one that nobody foresaw. */
export function problemsIn(error: unknown): readonly Problem[] {
  if (error instanceof ProblemError) return error.problems;
  if (isFolderGone(error)) return [{ code: 'working-folder-gone', place: null }];
  return [{ code: 'unexpected', place: null, reason: String(error) }];
}

/** Whether the system has no name for the working folder any more. */
function isFolderGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}

/** Problems for a person, a line each, and how many there are. */
export function printProblems(stream: NodeJS.WriteStream, problems: readonly Problem[]): void {
  stream.write(problems.map((problem) => `${coloured(stream, problem)}\n`).join(''));
  const files = new Set(problems.flatMap(({ place }) => place?.file ?? []));
  if (files.size > 0) stream.write(`${plural(problems.length, 'problem')} in ${plural(files.size, 'file')}\n`);
}

function coloured(stream: NodeJS.WriteStream, problem: Problem): string {
  const line = problemLine(problem);
  if (!stream.isTTY || !stream.hasColors()) return line;
  if (problem.place === null) return styleText('red', line);
  const message = problemMessage(problem);
  return `${styleText('bold', line.slice(0, -message.length))}${styleText('red', message)}`;
}

/** What the work goes on in spite of, a line each on stderr. */
export function printWarnings(shell: Shell, problems: readonly Problem[]): void {
  for (const problem of problems) shell.stderr.write(`warning: ${problemLine(problem)}\n`);
}

/** Warns where a site that is meant for others was built for this machine. */
export function warnOfLocal(shell: Shell, baseUrl: string): void {
  if (isLocal(baseUrl)) printWarnings(shell, [{ code: 'base-url-local', place: null, baseUrl }]);
}

/** A number of bytes for a person, in decimal units. */
export function size(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const unit = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${(bytes / 1000 ** unit).toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}

/** A line on the terminal that says how far long work is: after its first second, ten times a second. */
export function progress(shell: Shell, quiet: boolean): { step: (text: () => string) => void; end: () => void } {
  let shown = shell.stopwatch() + 900;
  let isShowing = false;
  return {
    step: (text) => {
      if (quiet || !shell.stderr.isTTY || shell.stopwatch() - shown < 100) return;
      shown = shell.stopwatch();
      isShowing = true;
      shell.stderr.write(`\r\u001b[K${printable(text())}`);
    },
    end: () => void (isShowing && shell.stderr.write('\r\u001b[K')),
  };
}
