import { ParseError, parseTOML, type AST } from 'toml-eslint-parser';
import {
  DocumentError,
  list,
  mapping,
  scalar,
  type OpenList,
  type OpenMapping,
  type ParsedText,
  type Value,
} from './value.ts';

type Open = OpenMapping | OpenList;

/**
 * Parses TOML 1.1. Dates, numbers and booleans are the texts that are written.
 *
 * @throws {DocumentError} if the text is not TOML. A date that does not exist is not.
 */
export function parseToml(text: string): ParsedText {
  const root = mapping(0);
  for (const node of topLevel(text)) {
    if (node.type === 'TOMLKeyValue') addPair(root, node, text);
    else {
      const table = openAt(root, node.resolvedKey, node.range[0]);
      for (const pair of node.body) addPair(table, pair, text);
    }
  }
  return {
    documents: [root],
    warnings: [],
  };
}

function topLevel(text: string): AST.TOMLTopLevelTable['body'] {
  try {
    return parseTOML(text, { tomlVersion: '1.1' }).body[0].body;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const reason = `found text that is not TOML (${error.message})`;
    throw new DocumentError(reason, Math.min(error.index, text.length));
  }
}

function addPair(table: Open, { key, value }: AST.TOMLKeyValue, text: string): void {
  const names = key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
  const last = names.pop() ?? '';
  add(openAt(table, names, key.range[0]), last, valueOf(value, text));
}

function valueOf(node: AST.TOMLContentNode, text: string): Value {
  const [offset, end] = node.range;
  if (node.type === 'TOMLArray') {
    const items = node.elements.map((item) => valueOf(item, text));
    return list(offset, items);
  }
  if (node.type === 'TOMLInlineTable') {
    const table = mapping(offset);
    for (const pair of node.body) addPair(table, pair, text);
    return table;
  }
  const literal = node.kind === 'string' ? node.value : text.slice(offset, end);
  return scalar(literal, offset);
}

/** Returns the map or list at a path of keys and indexes. What is missing there is added. */
function openAt(root: Open, path: readonly (string | number)[], offset: number): Open {
  let open = root;
  for (const [depth, key] of path.entries()) {
    const isList = typeof path[depth + 1] === 'number';
    const inner = open.kind === 'list' ? open.items[Number(key)] : open.entries.get(String(key));
    const next = inner ?? (isList ? list(offset) : mapping(offset));
    if (inner === undefined) add(open, key, next);
    open = next as Open;
  }
  return open;
}

function add(open: Open, key: string | number, value: Value): void {
  if (open.kind === 'list') open.items.push(value);
  else open.entries.set(String(key), value);
}
