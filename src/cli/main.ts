#!/usr/bin/env node
import { run } from './program.ts';

// Whoever reads may have read enough: `almanac check | head` is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await run({
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  clock: () => Date.now(),
  stopwatch: () => performance.now(),
  ended: () =>
    new Promise((resolve) => ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, () => resolve()))),
  stdout: process.stdout,
  stderr: process.stderr,
});
