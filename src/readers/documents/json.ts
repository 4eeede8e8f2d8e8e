import { parseTree, type Node } from 'jsonc-parser';
import type { TextFinding } from '../schema/finding.ts';
import { findTextProblems } from '../schema/json-syntax.ts';
import { parseJson } from '../schema/json-parse.ts';
import { DocumentError, list, mapping, scalar, type ParsedText, type Value } from './value.ts';

/**
 * Parses JSON. Numbers and booleans are the texts that are written. Repeated keys are warnings: the
 * last one counts.
 *
 * @throws {DocumentError} if the text is not JSON
 */
export function parseJsonDocument(text: string): ParsedText {
  const root = parseJson(text) === undefined ? undefined : parseTree(text);
  if (root === undefined) {
    const [finding] = findTextProblems(text);
    const problem = finding?.problem ?? 'found text that is not JSON';
    throw new DocumentError(problem, finding?.offset ?? 0);
  }
  const warnings: TextFinding[] = [];
  return {
    documents: [valueOf(root, text, warnings)],
    warnings,
  };
}

function valueOf(node: Node, text: string, warnings: TextFinding[]): Value {
  const { type, offset, children = [] } = node;
  if (type === 'array') {
    const items = children.map((item) => valueOf(item, text, warnings));
    return list(offset, items);
  }
  if (type !== 'object') return scalar(literalOf(node, text), offset);
  const map = mapping(offset);
  for (const { children: [name, inner] = [] } of children) {
    if (name === undefined || inner === undefined) continue;
    const key = String(name.value);
    const first = map.entries.get(key);
    if (first !== undefined)
      warnings.push({
        problem: { code: 'repeated-key', key },
        offset: name.offset,
        first,
      });
    map.entries.set(key, valueOf(inner, text, warnings));
  }
  return map;
}

function literalOf({ type, value, offset, length }: Node, text: string): string {
  if (type === 'null') return '';
  return type === 'string' ? String(value) : text.slice(offset, offset + length);
}
