import { count } from '../problem/text.ts';
import { basename } from 'node:path';
import { wholeFile, type Problem } from '../problem/problem.ts';
import { entryEndings, fileKinds, type ReadKind } from '../readers/schema/file-kinds.ts';
import type { SourceText } from '../readers/schema/finding.ts';
import type { SourceFile, TextReading } from '../readers/schema/reading.ts';
import { listTree } from '../system/files.ts';
import { maxBytes, readDataText, readerOf, type SourceFolder } from './text.ts';

/** What reading a file or folder needs besides the data folder. */
export interface FileToRead {
  /** Relative to the data folder. */
  readonly path: string;
  readonly kind: ReadKind;
  readonly file: SourceFile;
  /** Further mappings: the file is read once more with each of them. */
  readonly mappings?: readonly SourceFile['mapping'][];
}

/** A file or folder that was read. */
export interface OpenedFile {
  readonly text: string | readonly SourceText[];
  readonly reading: TextReading;
}

type Warn = (problem: Problem) => void;

/** Reads a file or a folder. Returns null if it cannot be read, which is reported. */
export async function readFileOrFolder(
  source: SourceFolder,
  { path, kind, file, mappings = [] }: FileToRead,
  warn: Warn,
): Promise<OpenedFile | null> {
  const isOurs = kind !== 'entries' && 'isOurs' in fileKinds[kind];
  const text =
    kind === 'entries'
      ? readEntryFiles(source, path.replace(/\/$/, ''), warn)
      : readDataText(source, path, isOurs ? undefined : warn);
  if (text === null) return null;
  const read = await readerOf(kind);
  return { text, reading: read(text, file, mappings) };
}

/**
 * Reads the files of a folder that can be events. Links are reported, not followed. Returns null if
 * any cannot be read.
 */
export function readEntryFiles(
  source: SourceFolder,
  folder: string,
  warn: Warn,
): SourceText[] | null {
  const files: SourceText[] = [];
  let bytes = 0;
  let isWhole = true;
  for (const { path, kind } of listTree(`${source.data}/${folder}`)) {
    const isEntry = entryEndings.some((ending) => path.toLowerCase().endsWith(ending));
    if (/(?:^|\/)\./.test(path) || kind === 'empty folder') continue;
    if (kind === 'other') {
      const place = wholeFile(source.displayPath(`${folder}/${path}`));
      source.report({
        code: 'symbolic-link',
        place,
        name: basename(path),
      });
      isWhole = false;
    }
    if (kind !== 'file' || !isEntry) continue;
    const text = readDataText(source, `${folder}/${path}`, warn);
    if (text !== null) files.push({ file: path, text });
    isWhole &&= text !== null;
    bytes += text?.length ?? 0;
    if (bytes > maxBytes) {
      const reason = `its files have more than ${count(maxBytes)} characters`;
      const place = wholeFile(source.displayPath(folder));
      source.report({
        code: 'unreadable-file',
        place,
        reason,
      });
      return null;
    }
  }
  if (isWhole) return files.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  return null;
}
