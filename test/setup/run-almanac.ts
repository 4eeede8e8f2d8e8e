import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The compiled command, which the tests' global set-up has brought up to date. */
export const almanac = fileURLToPath(new URL('../../lib/bin/main.js', import.meta.url));

export interface RunOptions {
  readonly cwd: string;
  /** Beside PATH, which is all that a run inherits: no variable of the machine changes what a test sees. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments for node itself, such as `--import`. */
  readonly node?: readonly string[];
  /** Open files that take the place of what is read of the program. */
  readonly stdout?: number;
  readonly stderr?: number;
  readonly uid?: number;
  readonly gid?: number;
  /** Milliseconds after which it is ended with SIGKILL, if it still runs. */
  readonly killAfter?: number;
  /** Another copy of the program than the compiled one. */
  readonly program?: string;
}

export interface Run {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command as a user does, in a process of its own, and waits for its end. Input is empty, no terminal. */
export async function runAlmanac(args: readonly string[], options: RunOptions): Promise<Run> {
  const { cwd, env = {}, node = [], uid, gid, killAfter, program = almanac } = options;
  const child = spawn(process.execPath, [...node, program, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', options.stdout ?? 'pipe', options.stderr ?? 'pipe'],
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
    ...(killAfter !== undefined && { timeout: killAfter, killSignal: 'SIGKILL' as const }),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}
