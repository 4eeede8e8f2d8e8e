import { readFileSync } from 'node:fs';
import { problemLine } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';

/** Whether a result could not be printed. */
let isResultLost = false;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that stops early is not a failure: `almanac check | head`.
  if (error.code === 'EPIPE' || isResultLost) return;
  isResultLost = true;
  process.exitCode = 1;
  process.stderr.write(
    `${problemLine({
      code: 'not-printed',
      place: null,
      reason: failureReason(error),
    })}\n`,
  );
});
// Messages that nobody can read do not stop the work.
process.stderr.on('error', () => {});

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
      new Promise((resolve) => {
        process.once('SIGINT', resolve).once('SIGTERM', resolve);
      }),
    readInput: () => readFileSync(0, 'utf8'),
    stdout: process.stdout,
    stderr: process.stderr,
  });
  process.exitCode = isResultLost ? 1 : code;
}
