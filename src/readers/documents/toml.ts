import { ParseError, parseTOML, type AST } from 'toml-eslint-parser';
import { DocumentError, type List, type Mapping, type ParsedText, type Value } from './value.ts';

/** A map or list that is still being filled. */
type Open =
  | (Mapping & { readonly entries: Map<string, Value> })
  | (List & { readonly items: Value[] });

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
  return { documents: [root], warnings: [] };
}

function topLevel(text: string): AST.TOMLTopLevelTable['body'] {
  try {
    return parseTOML(text, { tomlVersion: '1.1' }).body[0].body;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const reason = `found text that is not TOML (${error.message})`;
    throw new DocumentError({ code: 'bad-document', reason }, Math.min(error.index, text.length));
  }
}

function addPair(table: Open, { key, value }: AST.TOMLKeyValue, text: string): void {
  const names = key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
  const last = names.pop() ?? '';
  add(openAt(table, names, key.range[0]), last, valueOf(value, text));
}

function valueOf(node: AST.TOMLContentNode, text: string): Value {
  const [offset, end] = node.range;
  if (node.type === 'TOMLArray')
    return {
      kind: 'list',
      items: node.elements.map((item) => valueOf(item, text)),
      offset,
    };
  if (node.type === 'TOMLInlineTable') {
    const table = mapping(offset);
    for (const pair of node.body) addPair(table, pair, text);
    return table;
  }
  const literal = node.kind === 'string' ? node.value : text.slice(offset, end);
  return {
    kind: 'text',
    text: literal,
    offset,
  };
}

/** Returns the map or list at a path of keys and indexes. What is missing there is added. */
function openAt(root: Open, path: readonly (string | number)[], offset: number): Open {
  let open = root;
  for (const [depth, key] of path.entries()) {
    const isList = typeof path[depth + 1] === 'number';
    const inner = open.kind === 'list' ? open.items[Number(key)] : open.entries.get(String(key));
    const next = inner ?? (isList ? { kind: 'list', items: [], offset } : mapping(offset));
    if (inner === undefined) add(open, key, next);
    open = next as Open;
  }
  return open;
}

function add(open: Open, key: string | number, value: Value): void {
  if (open.kind === 'list') open.items.push(value);
  else open.entries.set(String(key), value);
}

function mapping(offset: number): Mapping & { readonly entries: Map<string, Value> } {
  return {
    kind: 'mapping',
    entries: new Map(),
    offset,
  };
}
