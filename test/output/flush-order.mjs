// Loaded into the command before anything else (`node --import`): notes, on stderr, the files and folders that are new,
// those that are flushed to the disk, and the renames, in order.
import fs, { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const note = (what, path) => writeSync(2, `${what} ${path}\n`);
const paths = new Map();

for (const name of ['writeFileSync', 'mkdirSync', 'renameSync']) {
  const real = fs[name];
  fs[name] = (...args) => {
    const result = real(...args);
    note(name, name === 'renameSync' ? args[1] : args[0]);
    return result;
  };
}
const { open, fsync } = fs;
fs.open = (path, flags, done) => open(path, flags, (error, file) => (paths.set(file, path), done(error, file)));
fs.fsync = (file, done) => fsync(file, (error) => (note('flushed', paths.get(file)), done(error)));
syncBuiltinESMExports();
