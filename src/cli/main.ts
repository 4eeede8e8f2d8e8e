#!/usr/bin/env node
import { nodeProblem } from '../problem/node-version.ts';

const message = nodeProblem(process.versions.node);
if (message === null) {
  void import('./start.ts');
} else {
  const problem = { code: 'node-too-old', file: null, line: null, column: null, message };
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ ok: false, problems: [problem] })}\n`);
  else process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
