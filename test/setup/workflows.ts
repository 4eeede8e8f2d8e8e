import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';

/** A step of a job. */
export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: object;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly if?: string;
  readonly uses?: string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: object;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The folder of the generator's own workflows. */
export const workflowFolder = join(import.meta.dirname, '../../.github/workflows');

export function readWorkflow(file: string): Workflow {
  return parse(readFileSync(join(workflowFolder, file), 'utf8')) as Workflow;
}

/** Returns the script of a step by the start of its name. */
export function scriptOf(file: string, job: string, name: string): string {
  const step = readWorkflow(file).jobs[job]?.steps?.find((one) => one.name?.startsWith(name));
  if (step?.run === undefined) throw new Error(`${file} has no script ${name} in its job ${job}`);
  return step.run;
}

export interface Done {
  readonly code: number | null;
  readonly output: string;
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
  for (const { run, env: own = {} } of readWorkflow(file).jobs[job]?.steps ?? []) {
    if (run === undefined || run.startsWith('npm ci')) continue;
    const plain = Object.fromEntries(Object.entries(own).filter(([, value]) => !value.includes('${{')));
    const isCompiled = run.endsWith(' compile') && existsSync(join(folder, 'lib'));
    done.push(isCompiled ? { code: 0, output: '' } : await runStep(folder, run, { ...plain, ...env }));
    if (done.some(({ code }) => code !== 0)) break;
  }
  return done;
}

/** Runs the script of a step as GitHub does. */
export async function runStep(folder: string, run: string, env: Readonly<Record<string, string>>): Promise<Done> {
  const inherited = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', run], { cwd: folder, env: { ...inherited, ...env } });
  const [output, problems, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((ended) => child.on('close', ended)),
  ]);
  return { code, output: output + problems };
}

/** The output of the steps that failed. */
export function failuresOf(done: readonly Done[]): string[] {
  return done.filter(({ code }) => code !== 0).map(({ output }) => output);
}
