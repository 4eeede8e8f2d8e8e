// Loaded with `node --import` before the command starts. Interrupts the nth call that changes the disk: sends a signal
// to the process or makes the call fail. Environment: AT is n, from 1, or 0 to name every call and interrupt none; HOW
// is a signal or the code of a system error; CALL, if set, is the only function that counts.
import fs, { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [at, how] = [Number(process.env.AT), process.env.HOW];
let calls = 0;

const changing = ['linkSync', 'mkdirSync', 'renameSync', 'rmdirSync', 'rmSync', 'writeFileSync'];

for (const name of process.env.CALL ? [process.env.CALL] : changing) {
  const real = fs[name];
  fs[name] = (...args) => {
    calls++;
    if (at === 0) writeSync(2, `${name}\n`);
    if (calls === at) interrupt(name, String(args[0]));
    return real(...args);
  };
}
syncBuiltinESMExports();

function interrupt(name, path) {
  writeSync(2, `${name}\n`);
  if (how.startsWith('SIG')) process.kill(process.pid, how);
  else throw Object.assign(new Error(`${how}: injected failure`), { code: how, syscall: name, path });
}
