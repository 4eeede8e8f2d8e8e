import {
  findNodeAtLocation,
  parseTree,
  printParseErrorCode,
  visit,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import type { JsonPath, TextFinding } from './finding.ts';
import { findDeepNesting, maxNesting, parseJson } from './json-parse.ts';

/**
 * Returns the problems of a JSON text: deep nesting, otherwise a syntax error, otherwise repeated
 * keys.
 */
export function findTextProblems(text: string): TextFinding[] {
  const deep = findDeepNesting(text);
  if (deep !== null)
    return [{ problem: { code: 'nested-too-deep', most: maxNesting }, offset: deep }];
  const syntax = findSyntaxError(text);
  return syntax === null ? findRepeatedKeys(text) : [syntax];
}

/**
 * Returns a finding for each key that its object has already, with the places of both. The text must
 * be valid JSON.
 */
export function findRepeatedKeys(text: string): TextFinding[] {
  const findings: TextFinding[] = [];
  const open: Map<string, number>[] = [];
  visit(text, {
    onObjectBegin: () => void open.push(new Map()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, offset) => {
      const earlier = open.at(-1)?.get(key);
      if (earlier === undefined) open.at(-1)?.set(key, offset);
      else
        findings.push({
          problem: { code: 'duplicate-key', key },
          offset,
          first: { offset: earlier },
        });
    },
  });
  return findings;
}

/**
 * Returns a function that finds the offset of a value, or of a key in the object there, or of the
 * nearest value.
 */
export function locateIn(text: string): (path: JsonPath, key?: string) => number {
  const root = parseTree(text);
  return (path, key) => {
    const node = nearestNode(root, path);
    const property = node?.children?.find(
      ({ children }) => key !== undefined && children?.[0]?.value === key,
    );
    return (property ?? node)?.offset ?? 0;
  };
}

function nearestNode(root: Node | undefined, path: JsonPath): Node | undefined {
  for (let length = path.length; root && length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node) return node;
  }
  return root;
}

function findSyntaxError(text: string): TextFinding | null {
  const errors: ParseError[] = [];
  parseTree(text, errors, {
    disallowComments: true,
    allowTrailingComma: false,
  });
  const [first] = errors;
  if (first === undefined && parseJson(text) !== undefined) return null;
  const offset = first?.offset ?? 0;
  const remedy =
    remedies.find(([mistake]) => mistake.test(text.slice(offset)))?.[1] ?? 'fix it here';
  const bracket =
    /^[\]}]/.test(text.slice(offset)) && text.slice(0, offset).trimEnd().endsWith(',');
  const problem = bracket
    ? {
        found: `found a comma before "${text.charAt(offset)}"`,
        remedy: 'remove the comma',
      }
    : {
        found: describeError(text, first),
        remedy,
      };
  return {
    problem: { code: 'invalid-json', ...problem },
    offset,
  };
}

const remedies = [
  [/^[“”„«»‘’']/, 'use straight double quotation marks: "'],
  [/^(?:\/[/*]|#)/, 'JSON has no comments, so remove it'],
  [/^(?:<{7}|={7}|>{7})/, 'choose one of the two versions, and remove the marks of the merge'],
  [/^[a-z_]\w*\s*:/i, 'put the key in quotation marks'],
  [/^"[^"]*"\s*:/, 'add a comma before it'],
  [/^[{[]/, 'add what is missing before it, or remove it'],
  [/^$/, 'complete it; every bracket and quotation mark needs the one that closes it'],
] as const;

function describeError(text: string, error: ParseError | undefined): string {
  if (text.trim() === '') return 'found an empty file';
  if (error === undefined) return 'found text that is not JSON';
  if (error.offset >= text.trimEnd().length) return 'found the end of the file too early';
  const name = printParseErrorCode(error.error);
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return `found ${JSON.stringify(text.slice(error.offset, error.offset + Math.max(1, Math.min(error.length, 20))))} (${words})`;
}

/**
 * Returns the text of a subject file with one more event at the end of `events`. The rest of the
 * text stays as it is. The event is on one line if the last one is, or if it is the first.
 *
 * @param text valid JSON whose `events` is an array
 */
export function insertEvent(text: string, event: object): string {
  const root = parseTree(text);
  const list = root && findNodeAtLocation(root, ['events']);
  const { offset = 0, length = 0, children = [] } = list ?? {};
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const [, indent = ''] = /\n([ \t]+)\S/.exec(text) ?? [];
  const line = indent === '' ? JSON.stringify(event) : oneLine(event);
  const last = children.at(-1);
  if (last === undefined) {
    const margin = indent === '' ? '' : newline + indent;
    const inside = margin === '' ? line : margin + indent + line + margin;
    return `${text.slice(0, offset)}[${inside}]${text.slice(offset + length)}`;
  }
  const end = last.offset + last.length;
  const [lineStart] = /\n[ \t]*$/.exec(text.slice(0, last.offset)) ?? [];
  const margin = lineStart === undefined ? '' : newline + lineStart.slice(1);
  const isLong = indent !== '' && text.slice(last.offset, end).includes('\n');
  const lines = JSON.stringify(event, null, indent).replaceAll('\n', margin || newline);
  const space = indent === '' ? '' : ' ';
  return `${text.slice(0, end)},${margin || space}${isLong ? lines : line}${text.slice(end)}`;
}

/** `{ "title": "Opening day", "tags": ["chess", "open-air"] }` */
function oneLine(value: object): string {
  const lines = JSON.stringify(value, null, 1);
  return lines.replace(/(?<=\[)\n\s*|\n\s*(?=\])/g, '').replace(/\n\s*/g, ' ');
}
