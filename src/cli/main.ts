#!/usr/bin/env node

// A program that ends before it has said how it went has failed.
process.exitCode = 1;
void start();

async function start(): Promise<void> {
  const { run } = await import('./program.ts');
  const code = await run({
    args: process.argv.slice(2),
    env: process.env,
    // Asked for only by what needs it: the folder may have been taken away.
    get cwd() {
      return process.cwd();
    },
    clock: () => Date.now(),
    // Node loads what performance.now() is of only when it is asked for, in a millisecond.
    stopwatch: () => Number(process.hrtime.bigint()) / 1e6,
    ended: () =>
      new Promise((resolve) => ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, () => resolve()))),
    // Node opens them when they are first asked for, which a quiet build never does.
    get stdout() {
      return heard(process.stdout, onResultLost);
    },
    get stderr() {
      return heard(process.stderr, onRemarkLost);
    },
  });
  process.exitCode = isLost ? 1 : code;
}

/** Whether a result could not be printed. */
let isLost = false;

function heard(stream: NodeJS.WriteStream, onError: (error: NodeJS.ErrnoException) => void): NodeJS.WriteStream {
  return stream.listeners('error').includes(onError) ? stream : stream.on('error', onError);
}

/** Whoever reads may have read enough: `almanac check | head` is no failure. */
function onResultLost(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || isLost) return;
  isLost = true;
  process.exitCode = 1;
  void tellLost(error);
}

async function tellLost(error: Error): Promise<void> {
  const { problemLine } = await import('../problem/problem.ts');
  const { failureReason } = await import('../system/failure.ts');
  const line = problemLine({ code: 'not-printed', place: null, reason: failureReason(error) });
  heard(process.stderr, onRemarkLost).write(`${line}\n`);
}

/** A log that is full, or that nobody reads, ends no work. */
function onRemarkLost(): void {}
