import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { engine, onPath } from './engines.ts';
import { tempFolder, writeTree } from './folders.ts';

/** Whether the programs are there that the steps of workflows call. */
export const canRunSteps = ['bash', 'curl', 'git', 'jq']
  .map((program) => engine(program, () => onPath(program), `apt-get install ${program}`))
  .every((path) => path !== null);

export interface Done {
  readonly code: number | null;
  readonly output: string;
  /**
   * What the script wrote for later steps, and into the summary, unless `env` names these files.
   */
  readonly outputs: string;
  readonly summary: string;
}

/** Runs the script of a step as GitHub does. */
export async function runStep(
  folder: string,
  run: string,
  env: Readonly<Record<string, string>>,
): Promise<Done> {
  const own = writeTree(tempFolder(), { output: '', summary: '' });
  const [GITHUB_OUTPUT, GITHUB_STEP_SUMMARY] = [join(own, 'output'), join(own, 'summary')];
  const inherited = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    RUNNER_TEMP: tempFolder(),
  };
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
  const [outputs, summary] = [
    readFileSync(GITHUB_OUTPUT, 'utf8'),
    readFileSync(GITHUB_STEP_SUMMARY, 'utf8'),
  ];
  return { code, output: output + problems, outputs, summary };
}
