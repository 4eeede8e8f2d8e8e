#!/usr/bin/env node
import * as modules from 'node:module';
import { useCompiled } from './compiled.ts';

// Where Node can keep what it has compiled, the second run starts faster. Node 20 can't.
if ('enableCompileCache' in modules) (modules.enableCompileCache as () => void)();
useCompiled(import.meta.dirname);

// A program that ends before it has said how it went has failed.
process.exitCode = 1;
void start();

async function start(): Promise<void> {
  const { run } = await import('./program.ts');
  process.exitCode = await run({
    args: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    clock: () => Date.now(),
    // Node loads what performance.now() is of only when it is asked for, in a millisecond.
    stopwatch: () => Number(process.hrtime.bigint()) / 1e6,
    ended: () =>
      new Promise((resolve) => ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, () => resolve()))),
    // Node opens them when they are first asked for, which a quiet build never does.
    get stdout() {
      return mayClose(process.stdout);
    },
    get stderr() {
      return mayClose(process.stderr);
    },
  });
}

/** Whoever reads may have read enough: `almanac check | head` is no failure. */
function mayClose(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.listeners('error').includes(passOn) ? stream : stream.on('error', passOn);
}

function passOn(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
