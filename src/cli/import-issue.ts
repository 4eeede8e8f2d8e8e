import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ProblemError, type Problem } from '../problem/problem.ts';
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
  if (typeof issue === 'string') throw new ProblemError([{ code: 'bad-issue', place: null, reason: issue }]);
  const [category = '', genre = '', ...rest] = issue.place.split('/');
  if (rest.length > 0 || genre === '') throw new ProblemError([wrongPlace(issue.place)]);
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

function wrongPlace(found: string): Problem {
  const reason = `found the place ${JSON.stringify(found)}; write {category}/{genre}, such as sports/chess`;
  return { code: 'bad-issue', place: null, reason };
}
