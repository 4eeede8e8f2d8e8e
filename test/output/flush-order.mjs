// Loaded with `node --import` before the command starts. Logs to stderr, in order, each file and folder that the command
// creates, flushes to the disk or renames.
import fs, { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const log = (what, path) => writeSync(2, `${what} ${path}\n`);
const paths = new Map();

for (const name of ['writeFileSync', 'mkdirSync', 'renameSync']) {
  const real = fs[name];
  fs[name] = (...args) => {
    const result = real(...args);
    log(name, name === 'renameSync' ? args[1] : args[0]);
    return result;
  };
}
const { open, fsync } = fs;
fs.open = (path, flags, done) =>
  open(path, flags, (error, file) => (paths.set(file, path), done(error, file)));
fs.fsync = (file, done) => fsync(file, (error) => (log('flushed', paths.get(file)), done(error)));
syncBuiltinESMExports();
