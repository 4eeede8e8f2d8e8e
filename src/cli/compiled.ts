import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/*
 * A program's files as V8 has compiled them, kept beside them when the program is bundled: compiling them anew takes
 * a twentieth of the build of a small catalogue. V8 takes back only what it has made itself, in the same version and
 * with the same flags; every Node has a folder of its own. In files that come back so, Node 20 has lost what answers
 * import(): the bundle has none, a test sees to it.
 */

/** Loads the program's files as they were compiled, where that was kept by this very Node. */
export function useCompiled(folder: string): void {
  loadFilesOf(folder, (file) => {
    const compiled = readCompiled(file);
    return compiled && scriptOf(file, compiled);
  });
}

/** Loads the program's files. What it returns keeps what V8 has compiled of them so far. */
export function keepCompiled(folder: string): () => void {
  const scripts = new Map<string, Script>();
  loadFilesOf(folder, (file) => {
    const script = scriptOf(file);
    scripts.set(file, script);
    return script;
  });
  return () => {
    for (const [file, script] of scripts) {
      mkdirSync(dirname(compiledOf(file)), { recursive: true });
      writeFileSync(compiledOf(file), script.createCachedData());
    }
  };
}

function loadFilesOf(folder: string, scriptFor: (file: string) => Script | null): void {
  const { extensions } = createRequire(import.meta.url);
  const plain = extensions['.js'];
  extensions['.js'] = (module, file) => {
    const script = dirname(file) === folder ? scriptFor(file) : null;
    if (script === null) plain(module, file);
    else script.runInThisContext()(module.exports, createRequire(file), module, file, folder);
  };
}

function scriptOf(file: string, cachedData?: Buffer): Script {
  return new Script(Module.wrap(readFileSync(file, 'utf8')), {
    filename: file,
    ...(cachedData && { cachedData }),
  });
}

function readCompiled(file: string): Buffer | null {
  try {
    return readFileSync(compiledOf(file));
  } catch {
    return null;
  }
}

function compiledOf(file: string): string {
  return join(dirname(file), 'compiled', `${process.version}-${process.arch}`, basename(file));
}
