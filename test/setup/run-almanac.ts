import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { run } from '../../src/cli/program.ts';
import type { Shell } from '../../src/cli/shell.ts';

/** The compiled command. The global set-up of the tests compiles it. */
export const almanac = fileURLToPath(new URL('../../lib/bin/main.js', import.meta.url));

export interface RunOptions {
  readonly cwd: string;
  /** The environment variables. The command sees no others, except PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin has. */
  readonly input?: string;
}

/** Options of a command that runs in this process. */
interface ProcessOptions extends RunOptions {
  /** Resolves when a signal would arrive. */
  readonly ended?: Promise<void>;
  readonly stdout?: Output;
  readonly stderr?: Output;
}

export interface Run {
  /** The exit code, or null if a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SpawnOptions extends Omit<RunOptions, 'input'> {
  /** Arguments for Node, such as `--import`. */
  readonly node?: readonly string[];
  /** File descriptors for the output. The result then has no text for that stream. */
  readonly stdout?: number;
  readonly stderr?: number;
  readonly uid?: number;
  readonly gid?: number;
  /** Milliseconds until SIGKILL. */
  readonly killAfter?: number;
  /** The program that starts Node, with its arguments. */
  readonly within?: readonly string[];
  /**
   * Whether a build flushes its files to the disk. By default it does not, which takes most of the
   * time of a build.
   */
  readonly flush?: boolean;
  /** Another copy of the compiled program. */
  readonly program?: string;
}

/** Makes the compiler refuse options that only a separate process supports. */
type NoProcess = { readonly [Option in Exclude<keyof SpawnOptions, keyof ProcessOptions>]?: never };

/** Runs the command in this process, which is much faster than {@link spawnAlmanac}. */
export async function runAlmanac(
  args: readonly string[],
  {
    cwd,
    env = {},
    input = '',
    ended,
    stdout = new Output(),
    stderr = new Output(),
  }: ProcessOptions & NoProcess,
): Promise<Run> {
  const code = await run({
    args: withoutFlush(args),
    env,
    cwd,
    clock: () => Date.now(),
    stopwatch: () => performance.now(),
    ended: () =>
      ended ??
      Promise.reject(new Error('a command that waits for a signal needs the option ended')),
    readInput: () => input,
    stdout: stdout as unknown as Shell['stdout'],
    stderr: stderr as unknown as Shell['stderr'],
  });
  return { code, signal: null, stdout: stdout.text, stderr: stderr.text };
}

class Output {
  text = '';
  write(text: string): boolean {
    this.text += text;
    return true;
  }
}

/** Test builds need not survive a power loss. */
function withoutFlush(args: readonly string[]): readonly string[] {
  const [command = '', ...rest] = args;
  return command === 'build' ? [command, '--no-flush', ...rest] : args;
}

/**
 * Runs the compiled command in a separate process. Its input is empty, and its output is not a
 * terminal.
 */
export async function spawnAlmanac(args: readonly string[], options: SpawnOptions): Promise<Run> {
  const { cwd, env = {}, within = [], node = [], uid, gid, killAfter, program = almanac } = options;
  const [file = '', ...rest] = [
    ...within,
    process.execPath,
    ...node,
    program,
    ...(options.flush === true ? args : withoutFlush(args)),
  ];
  const child = spawn(file, rest, {
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
