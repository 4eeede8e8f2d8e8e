import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** The shape of one file of src/, measured on its syntax tree and on its text. */
export interface Shape {
  readonly file: string;
  /** Objects with a `type` in the syntax tree, types and imports included. */
  readonly nodes: number;
  /** Characters of code, without comments and indentation. */
  readonly characters: number;
  /** Lines of code, without comments and blank lines. */
  readonly lines: number;
  /** Descriptions of what breaks a rule of style, such as `12: a binding named "found"`. */
  readonly faults: readonly string[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** These say nothing about what they name. */
const vagueNames = new Set(['one', 'found', 'written', 'known', 'given', 'own', 'others']);

const functionTypes = new Set([
  'ArrowFunctionExpression',
  'FunctionDeclaration',
  'FunctionExpression',
]);

/** The files of TypeScript in a folder, with forward slashes, sorted. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'))
    .toSorted();
}

/** Measures one file of a folder. */
export function shapeOf(folder: string, file: string): Shape {
  const text = readFileSync(join(folder, file), 'utf8');
  const { program } = parseSync(file, text);
  const faults: string[] = [];
  const report = (node: Node, fault: string): void => {
    const line = text.slice(0, node.start).split('\n').length;
    faults.push(`${line}: ${fault}`);
  };
  const nodes = visit(program, 0, report);
  const code = codeLines(text);
  const characters = code.reduce((sum, line) => sum + line.length, 0);
  return { file, nodes, characters, lines: code.length, faults };
}

/** The trimmed lines of a text without comments and blank lines. */
function codeLines(text: string): string[] {
  return text
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'));
}

/** Counts the nodes below a value and reports those that break a rule. */
function visit(
  value: unknown,
  arrows: number,
  report: (node: Node, fault: string) => void,
): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) {
    return value.reduce((sum: number, item) => sum + visit(item, arrows, report), 0);
  }
  const isNode = 'type' in value && typeof value.type === 'string';
  let depth = arrows;
  if (isNode) {
    const node = value as Node;
    if (functionTypes.has(node.type)) {
      depth = node.type === 'ArrowFunctionExpression' ? arrows + 1 : 0;
      checkParameters(node, report);
    }
    if (depth > 2 && depth > arrows) report(node, 'an arrow in an arrow in an arrow');
    checkNames(node, report);
    if (isReduceWithoutSum(node)) report(node, 'a reduce that is no sum');
  }
  let count = isNode ? 1 : 0;
  for (const child of Object.values(value)) count += visit(child, depth, report);
  return count;
}

/** Reports parameters that are destructured and whose parts are destructured again. */
function checkParameters(node: Node, report: (node: Node, fault: string) => void): void {
  const patterns = new Set(['ObjectPattern', 'ArrayPattern']);
  for (const parameter of node['params'] as Node[]) {
    const parts = [...childrenOf(parameter, 'properties'), ...childrenOf(parameter, 'elements')];
    const isNested = parts.some((part) => {
      const value = (part['value'] ?? part) as Node;
      const target = (value.type === 'AssignmentPattern' ? value['left'] : value) as Node;
      return patterns.has(target.type);
    });
    if (isNested) report(parameter, 'a parameter that is destructured twice');
  }
}

function childrenOf(node: Node, key: string): Node[] {
  const children = (node[key] ?? []) as (Node | null)[];
  return Array.isArray(children) ? children.filter((child) => child !== null) : [];
}

/** Reports bindings (variables, parameters, destructured names) that have a vague name. */
function checkNames(node: Node, report: (node: Node, fault: string) => void): void {
  const targets: unknown[] = [];
  if (node.type === 'VariableDeclarator') targets.push(node['id']);
  if (functionTypes.has(node.type)) targets.push(...(node['params'] as unknown[]));
  for (const name of targets.flatMap(boundNames)) {
    if (vagueNames.has(name)) report(node, `a binding named "${name}"`);
  }
}

/** The names that a pattern binds. */
function boundNames(pattern: unknown): string[] {
  if (typeof pattern !== 'object' || pattern === null) return [];
  const node = pattern as Node;
  switch (node.type) {
    case 'Identifier':
      return [node['name'] as string];
    case 'ObjectPattern':
      return childrenOf(node, 'properties').flatMap((part) => boundNames(part['value'] ?? part));
    case 'ArrayPattern':
      return childrenOf(node, 'elements').flatMap(boundNames);
    case 'AssignmentPattern':
      return boundNames(node['left']);
    case 'RestElement':
      return boundNames(node['argument']);
    default:
      return [];
  }
}

/** Whether a call of `reduce` has a callback that does not return a sum. */
function isReduceWithoutSum(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const property = (node['callee'] as Node)['property'] as Node | undefined;
  if (property?.['name'] !== 'reduce') return false;
  const callback = (node['arguments'] as Node[])[0];
  const body = callback?.['body'] as Node | undefined;
  return body?.type !== 'BinaryExpression' || body['operator'] !== '+';
}
