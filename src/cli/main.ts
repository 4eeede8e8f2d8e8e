#!/usr/bin/env node
// An older Node.js cannot parse the rest of the program.
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  void import('./start.ts');
} else {
  const message = `almanac needs Node.js 20.19 or later; this is ${node}`;
  const problem = {
    code: 'node-too-old',
    file: null,
    line: null,
    column: null,
    message,
  };
  if (process.argv.includes('--json'))
    process.stdout.write(`${JSON.stringify({ ok: false, problems: [problem] })}\n`);
  else process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
