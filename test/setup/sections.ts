import { readFileSync, writeFileSync } from 'node:fs';

const header = /^-- (.+) --$/;
const noNewline = '\\ No newline at end of file\n';

/**
 * Reads a file that contains several files. The line `-- path --` begins each of them. `␍` at the
 * end of a line stands for a carriage return, which editors might remove, and the last line says if
 * a file does not end with a newline.
 */
export function readSections(file: string): Map<string, string> {
  const sections = new Map<string, string>();
  let path = '';
  for (const line of readFileSync(file, 'utf8').split(/(?<=\n)/)) {
    const [, next] = header.exec(line.trimEnd()) ?? [];
    path = next ?? path;
    sections.set(path, next === undefined ? (sections.get(path) ?? '') + line : '');
  }
  return new Map(Array.from(sections, ([name, text]) => [name, decode(text)]));
}

export function writeSections(file: string, sections: Iterable<readonly [string, string]>): void {
  writeFileSync(
    file,
    Array.from(sections, ([path, text]) => `-- ${path} --\n${encode(text)}`).join(''),
  );
}

export function decode(text: string): string {
  const lines = text.replaceAll('␍\n', '\r\n');
  return lines.endsWith(noNewline) ? lines.slice(0, -noNewline.length - 1) : lines;
}

export function encode(text: string): string {
  const lines = text.replaceAll('\r\n', '␍\n');
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n${noNewline}`;
}
