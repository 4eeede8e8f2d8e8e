import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

// V8 lets a heap grow to four times what is in use. With twice, ten million events take 720 MB instead of 1.16 GB, for
// a fiftieth more CPU time. Unlike a limit, it never ends a build.
setFlagsFromString('--heap-growing-percent=100');

// The program has failed if it ends before it has set its exit code.
process.exitCode = 1;
void start();

async function start(): Promise<void> {
  const { run } = await import('./program.ts');
  const code = await run({
    args: process.argv.slice(2),
    env: process.env,
    // Read only if needed: the folder may have been removed.
    get cwd() {
      return process.cwd();
    },
    clock: () => Date.now(),
    // Takes a millisecond less than performance.now(), which Node loads late.
    stopwatch: () => Number(process.hrtime.bigint()) / 1e6,
    ended: () =>
      new Promise((resolve) => ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, () => resolve()))),
    readInput: () => readFileSync(0, 'utf8'),
    // Node opens the streams when they are first read, which a quiet build never does.
    get stdout() {
      return withErrorHandler(process.stdout, onStdoutError);
    },
    get stderr() {
      return withErrorHandler(process.stderr, onStderrError);
    },
  });
  process.exitCode = isResultLost ? 1 : code;
}

/** Whether a result could not be printed. */
let isResultLost = false;

type ErrorHandler = (error: NodeJS.ErrnoException) => void;

function withErrorHandler(stream: NodeJS.WriteStream, handler: ErrorHandler): NodeJS.WriteStream {
  return stream.listeners('error').includes(handler) ? stream : stream.on('error', handler);
}

/** A reader that stops early is not a failure: `almanac check | head`. */
function onStdoutError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || isResultLost) return;
  isResultLost = true;
  process.exitCode = 1;
  void reportLostResult(error);
}

async function reportLostResult(error: Error): Promise<void> {
  const { problemLine } = await import('../problem/problem.ts');
  const { failureReason } = await import('../system/failure.ts');
  const line = problemLine({ code: 'not-printed', place: null, reason: failureReason(error) });
  withErrorHandler(process.stderr, onStderrError).write(`${line}\n`);
}

/** Messages that nobody can read do not stop the work. */
function onStderrError(): void {}
