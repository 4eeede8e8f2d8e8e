#!/usr/bin/env node
import * as modules from 'node:module';

// Where Node can keep what it has compiled, the second run starts faster. Node 20 can't.
if ('enableCompileCache' in modules) (modules.enableCompileCache as () => void)();

// Whoever reads may have read enough: `almanac check | head` is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const { run } = await import('./program.ts');
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
