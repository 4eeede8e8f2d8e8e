import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { engine, onPath } from './engines.ts';
import { tempFolder, writeTree } from './folders.ts';
import { readWorkflow } from './workflows.ts';

/** Whether the programs are there that the steps of workflows call. */
export const canRunSteps =
  engine(
    'Bash, curl, git or jq',
    () => (['bash', 'curl', 'git', 'jq'].every((program) => onPath(program) !== null) ? 'bash' : null),
    'apt-get install bash curl git jq',
  ) !== null;

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
  // Bash reads ~/.bashrc if its input is a socket, as the pipes of Node.js are.
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', run], {
    cwd: folder,
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
