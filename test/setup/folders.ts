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
import { onTestFinished } from 'vitest';

/** Files by path, forward slashes; what is neither text nor bytes is written as JSON. */
export type Tree = Readonly<Record<string, unknown>>;

/** A new, empty folder that goes when the test ends; outside a test, pass `afterAll`. */
export function tempFolder(whenDone: (remove: () => void) => void = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'almanac-test-')));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
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
