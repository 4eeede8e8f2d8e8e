import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

/**
 * Loaded with `node --import` before the command starts. KILL_CALL=n sends SIGKILL (or KILL_SIGNAL) to the process at
 * its nth call that changes the file system; KILL_WHEN is `before`, `halfway` or `after`. KILL_NAME, if set, is the
 * only function that counts. The number of calls is written to CALLS_FILE.
 */
const { KILL_CALL, KILL_WHEN, KILL_NAME, KILL_SIGNAL = 'SIGKILL', CALLS_FILE } = process.env;
const changing = ['mkdirSync', 'writeFileSync', 'renameSync', 'linkSync', 'rmSync'];
const { writeFileSync, rmSync, readdirSync, existsSync } = fs;
let calls = 0;

const halves = {
  writeFileSync: (path, content) => writeFileSync(path, content.slice(0, content.length / 2)),
  rmSync: (path) => {
    if (!existsSync(path) || !fs.statSync(path).isDirectory()) return;
    const names = readdirSync(path, { recursive: true }).filter((_, index) => index % 2 === 0);
    for (const name of names) rmSync(join(path, name), { recursive: true, force: true });
  },
};

for (const name of KILL_NAME ? [KILL_NAME] : changing) {
  const real = fs[name];
  fs[name] = (...args) => {
    const isTarget = ++calls === Number(KILL_CALL);
    if (isTarget && KILL_WHEN === 'halfway') halves[name]?.(...args);
    if (isTarget && KILL_WHEN !== 'after') process.kill(process.pid, KILL_SIGNAL);
    const result = real(...args);
    if (isTarget && KILL_WHEN === 'after') process.kill(process.pid, KILL_SIGNAL);
    return result;
  };
}
syncBuiltinESMExports();

if (CALLS_FILE) process.on('exit', () => writeFileSync(CALLS_FILE, String(calls)));
