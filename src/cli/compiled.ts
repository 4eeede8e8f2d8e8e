import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/*
 * A program's files as V8 has compiled them, kept beside them when the program is bundled: compiling them anew takes
 * a twentieth of the build of a small catalogue. V8 takes back what the same version with the same flags has made, and
 * does not look whether it is damaged or of another text, so a hash is kept with it; every Node has a folder of its own.
 * In files that come back so, Node 20 has lost what answers import(): the bundle has none, a test sees to it.
 */

/** Loads the program's files as they were compiled, where that was kept by this very Node; the others as ever. */
export function useCompiled(folder: string): void {
  let isRefused = false;
  loadFilesOf(folder, (file) => {
    const kept = isRefused ? null : readKept(file);
    const script = kept && scriptOf(file, kept.text, kept.compiled);
    isRefused ||= script?.cachedDataRejected === true;
    return isRefused ? null : script;
  });
}

/** Loads the program's files. What it returns keeps what V8 has compiled of them so far. */
export function keepCompiled(folder: string): () => void {
  const loaded = new Map<string, { text: string; script: Script }>();
  loadFilesOf(folder, (file) => {
    const text = readFileSync(file, 'utf8');
    const script = scriptOf(file, text);
    loaded.set(file, { text, script });
    return script;
  });
  return () => {
    for (const [file, { text, script }] of loaded) {
      const compiled = script.createCachedData();
      mkdirSync(dirname(compiledOf(file)), { recursive: true });
      writeFileSync(compiledOf(file), Buffer.concat([hashOf(text, compiled), compiled]));
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

function scriptOf(file: string, text: string, cachedData?: Buffer): Script {
  return new Script(Module.wrap(text), { filename: file, ...(cachedData && { cachedData }) });
}

/** The text of a file and what was compiled of it; null where nothing is kept, or something else. */
function readKept(file: string): { text: string; compiled: Buffer } | null {
  try {
    const kept = readFileSync(compiledOf(file));
    const text = readFileSync(file, 'utf8');
    const compiled = kept.subarray(hashBytes);
    return hashOf(text, compiled).equals(kept.subarray(0, hashBytes)) ? { text, compiled } : null;
  } catch {
    return null;
  }
}

const hashBytes = 32;

function hashOf(text: string, compiled: Buffer): Buffer {
  return createHash('sha256').update(text).update(compiled).digest();
}

function compiledOf(file: string): string {
  return join(dirname(file), 'compiled', `${process.version}-${process.arch}`, basename(file));
}
