// Loaded with `node --import` before the command starts. Interrupts the nth call that changes the disk: sends a signal
// to the process or makes the call fail. Environment: AT is n, from 1, or 0 to name every call and interrupt none; HOW
// is a signal or the code of a system error; WHEN is `before`, `halfway` or `after`; CALL, if set, has the only functions
// that count, with commas.
import fs, { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const { AT, HOW, WHEN = 'before', CALL } = process.env;
const { writeFileSync, rmSync, readdirSync, existsSync } = fs;
const changing = ['linkSync', 'mkdirSync', 'renameSync', 'rmdirSync', 'rmSync', 'writeFileSync'];
let calls = 0;

const halves = {
  writeFileSync: (path, content) => writeFileSync(path, content.slice(0, content.length / 2)),
  rmSync: (path) => {
    if (!existsSync(path) || !fs.statSync(path).isDirectory()) return;
    const names = readdirSync(path, { recursive: true }).filter((_, index) => index % 2 === 0);
    for (const name of names) rmSync(join(path, name), { recursive: true, force: true });
  },
};

for (const name of CALL?.split(',') ?? changing) {
  const real = fs[name];
  fs[name] = (...args) => {
    const isTarget = ++calls === Number(AT);
    if (isTarget || AT === '0') writeSync(2, `${name}\n`);
    if (isTarget && WHEN === 'halfway') halves[name]?.(...args);
    if (isTarget && WHEN !== 'after') interrupt(name, String(args[0]));
    const result = real(...args);
    if (isTarget && WHEN === 'after') interrupt(name, String(args[0]));
    return result;
  };
}
syncBuiltinESMExports();

function interrupt(name, path) {
  if (HOW.startsWith('SIG')) process.kill(process.pid, HOW);
  else
    throw Object.assign(new Error(`${HOW}: injected failure`), { code: HOW, syscall: name, path });
}
