import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Files by path with forward slashes. A value that is neither text nor bytes is written as JSON.
 */
export type Tree = Readonly<Record<string, unknown>>;

/**
 * Creates a folder that is removed when the test ends. A concurrent test passes its own
 * `onTestFinished`.
 */
export function tempFolder(whenDone: (remove: () => void) => void = onTestFinished): string {
  const folder = newFolder();
  whenDone(() => removeFolder(folder));
  return folder;
}

/** Creates a folder that is removed when all tests of the file have ended. */
export function lastingFolder(): string {
  const folder = newFolder();
  afterFile(() => removeFolder(folder));
  return folder;
}

/**
 * Runs a function after all tests of the file. It works in hooks and tests too, where Vitest
 * ignores `afterAll`.
 */
export function afterFile(close: () => unknown): void {
  closing.push(close);
}

const closing: (() => unknown)[] = [];

/** Runs the functions of {@link afterFile}, the last one first. each-file.ts calls it. */
export async function closeFile(): Promise<void> {
  for (const close of closing.splice(0).toReversed()) await close();
}

function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'almanac-test-')));
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes files below `folder` in the order of the tree. Returns the folder. */
export function writeTree(folder: string, tree: Tree): string {
  for (const [path, content] of Object.entries(tree)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    const isPlain = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(target, isPlain ? content : `${JSON.stringify(content)}\n`);
  }
  return folder;
}

/**
 * Reads every file below `folder` by its path, in code-unit order. The content of a link is its
 * target.
 */
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

/** Moves a site aside, as a build that is killed between its two renames. */
export function moveSiteAside(site: string): void {
  renameSync(site, join(dirname(site), `.${basename(site)}.almanac-old`));
}
