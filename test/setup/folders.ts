import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Files by path, forward slashes; what is neither text nor bytes is written as JSON. */
export type Tree = Readonly<Record<string, unknown>>;

/** A new, empty folder that goes when the test ends. A test among others at once has an `onTestFinished` of its own. */
export function tempFolder(whenDone: (remove: () => void) => void = onTestFinished): string {
  const folder = newFolder();
  whenDone(() => removeFolder(folder));
  return folder;
}

/** The same for all tests of a file: it goes when they have ended, wherever it is asked for. */
export function lastingFolder(): string {
  const folder = newFolder();
  lasting.push(folder);
  return folder;
}

// Here, and not where a folder is made: vitest passes over an `afterAll` in a hook or a test.
const lasting: string[] = [];
afterAll(() => lasting.forEach(removeFolder));

function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'almanac-test-')));
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes files below `folder`, in the order given. Returns the folder. */
export function writeTree(folder: string, tree: Tree): string {
  for (const [path, content] of Object.entries(tree)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    const isPlain = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(target, isPlain ? content : `${JSON.stringify(content)}\n`);
  }
  return folder;
}

/** Every file below `folder`, by its path with forward slashes, in code-unit order; a link by where it leads. */
export function readTree(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const named = files.map((entry) => {
    const file = join(entry.parentPath, entry.name);
    const content = entry.isSymbolicLink() ? Buffer.from(readlinkSync(file)) : readFileSync(file);
    return [relative(folder, file).split(sep).join('/'), content] as const;
  });
  return new Map(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
