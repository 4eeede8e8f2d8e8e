#!/usr/bin/env node
// An older Node.js cannot parse the rest of the program.
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  // V8 lets a heap grow to four times its live data. With twice, ten million events take 720 MB
  // instead of 1.16 GB, for a fiftieth more CPU time. Unlike a limit, it never ends a build.
  process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=100');
  // Node.js 20 has no cache of compiled code. An entry is valid for one set of flags only.
  const modules: object = process.getBuiltinModule('node:module');
  if ('enableCompileCache' in modules) (modules.enableCompileCache as () => void)();
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
