import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** The pages of the documentation, by their path in the repository. */
export const pages: readonly string[] = [
  'README.md',
  ...markdownIn('docs'),
  ...markdownIn('docs/internals'),
  'data/README.md',
  'CHANGELOG.md',
  ...markdownIn('.github'),
];

function markdownIn(folder: string): string[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => `${folder}/${name}`);
}

export function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** A fenced block of code. */
export interface Block {
  readonly page: string;
  /** The line of its opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** What follows the language on the fence. */
  readonly note: string;
  readonly code: string;
}

/** Returns the fenced blocks of a page in their order. */
export function blocksOf(page: string): Block[] {
  const text = readPage(page);
  const fenced = text.matchAll(/^( *)```(\w*) *(.*)\n([^]*?)^\1```$/gm);
  return Array.from(
    fenced,
    ({ index, 1: indent = '', 2: language = '', 3: note = '', 4: code = '' }) => {
      const line = text.slice(0, index).split('\n').length;
      return {
        page,
        line,
        language,
        note,
        code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      };
    },
  );
}

/** Returns a page without its fenced blocks: each is replaced by empty lines. */
export function proseOf(page: string): string {
  return readPage(page).replaceAll(/^( *)```[^]*?^\1```$/gm, (block) =>
    block.replaceAll(/[^\n]/g, ''),
  );
}

/** Returns the fenced blocks below a heading of the second level. */
export function blocksUnder(page: string, heading: string): Block[] {
  const lines = readPage(page).split('\n');
  const first = lines.indexOf(`## ${heading}`) + 1;
  if (first === 0) throw new Error(`${page} has no heading ${heading}`);
  const length = lines.slice(first).findIndex((line) => line.startsWith('## '));
  const last = length === -1 ? lines.length : first + length;
  return blocksOf(page).filter(({ line }) => line > first && line <= last);
}
