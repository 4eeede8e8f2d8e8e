import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ProblemError } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import { addEvent } from './add.ts';
import type { CommonOptions } from './settings.ts';
import type { Shell } from './shell.ts';

/**
 * Adds the event that an issue announces, whose body is in a file. Creates the subject if it is new, but no genre.
 * Throws every problem, worded for a comment on the issue.
 */
export async function importIssue(
  shell: Shell,
  file: string,
  options: CommonOptions & { readonly dryRun?: true },
): Promise<void> {
  const [{ readIssue }, { slug }] = await Promise.all([import('../source/issue.ts'), import('../source/slug.ts')]);
  const issue = readIssue(readBody(shell, file));
  if (typeof issue === 'string') throw badIssue(`${issue}; the issue must be made with the form "Announce an event"`);
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
  const { subject: name, event } = issue;
  await addEvent(shell, options, { category, genre, subject, name, event, create: 'subject' });
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
