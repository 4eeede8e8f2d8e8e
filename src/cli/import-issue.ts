import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ProblemError } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import { writeAll } from './add.ts';
import { printJson } from './report.ts';
import type { CommonOptions } from './settings.ts';
import { dataFolder, type Shell } from './shell.ts';

/**
 * Adds the event that an issue announces, whose body is in a file. Creates the subject if it is new, but no genre.
 * Throws every problem, worded for a comment on the issue.
 */
export async function importIssue(
  shell: Shell,
  file: string,
  options: CommonOptions & { readonly dryRun?: true },
): Promise<void> {
  const [{ readIssue }, { planEvent }, { slug }] = await Promise.all([
    import('../source/issue.ts'),
    import('../source/add.ts'),
    import('../source/slug.ts'),
  ]);
  const issue = readIssue(readBody(shell, file));
  if (typeof issue === 'string') throw badIssue(issue);
  const [category = '', genre = '', ...rest] = issue.place.split('/');
  if (rest.length > 0 || genre === '') {
    throw badIssue(`found the place ${JSON.stringify(issue.place)}; write {category}/{genre}, such as sports/chess`);
  }
  if (pathPattern.test(issue.subject)) {
    throw badIssue(`found the subject ${JSON.stringify(issue.subject)}, which is a path; write its name`);
  }
  const subject = slug(issue.subject);
  if (subject === '') {
    throw new ProblemError([{ code: 'no-subject-id', place: null, name: issue.subject, id: subject, most: 64 }]);
  }
  const { data, displayPath } = dataFolder(shell, options.data);
  const added = { category, genre, subject, name: issue.subject, event: issue.event, create: 'subject' } as const;
  const { files, problems } = await planEvent(data, displayPath, added);
  if (problems.length > 0) throw new ProblemError(problems);
  if (!options.dryRun) writeAll(data, files);
  const paths = Array.from(files.keys(), displayPath);
  if (options.json) printJson(shell, { ok: true, files: paths.map((path) => ({ path })) });
  else if (!options.quiet) shell.stdout.write(paths.map((path) => `Wrote ${path}\n`).join(''));
}

function readBody(shell: Shell, file: string): string {
  try {
    return readFileSync(resolve(shell.cwd, file), 'utf8');
  } catch (error) {
    throw new ProblemError([{ code: 'import-failed', place: null, path: file, reason: failureReason(error) }]);
  }
}

function badIssue(reason: string): ProblemError {
  return new ProblemError([{ code: 'bad-issue', place: null, reason }]);
}

/** Matches `/etc`, `../etc` and `sports/chess/club`, but not the names AC/DC and Formula 1 / Sprint. */
const pathPattern = /^([/\\]|[A-Za-z]:\\)|(^|[/\\])\.\.?([/\\]|$)|^[a-z0-9-]+([/\\][a-z0-9-]+)+$/;
