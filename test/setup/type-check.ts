import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './folders.ts';

/** Checks the types of a module with tsc, as `user.mts` in a folder. Returns what tsc reports. */
export function typeCheck(code: string, options: object, folder = tempFolder()): string {
  writeFileSync(join(folder, 'user.mts'), code);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022'],
    ...options,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['user.mts'] }),
  );
  const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
}
