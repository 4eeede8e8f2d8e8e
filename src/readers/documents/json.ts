import { visit } from 'jsonc-parser';
import type { TextFinding } from '../schema/finding.ts';
import { findTextProblems } from '../schema/json-syntax.ts';
import { parseJson } from '../schema/json-parse.ts';
import { DocumentError, type ParsedText, type Value } from './value.ts';

/**
 * Parses JSON. Numbers and booleans are the texts that are written.
 *
 * @throws {DocumentError} if the text is not JSON
 */
export function parseJsonDocument(text: string): ParsedText {
  if (parseJson(text) === undefined) {
    const [finding] = findTextProblems(text);
    throw new DocumentError(
      finding?.problem ?? { code: 'bad-document', reason: 'found text that is not JSON' },
      finding?.offset ?? 0,
    );
  }
  /** The lists and maps around the place that is read, outermost first, and the key there. */
  const open: { readonly value: Value; key: string }[] = [];
  const documents: Value[] = [];
  const warnings: TextFinding[] = [];
  const add = (value: Value): void => {
    const parent = open.at(-1);
    if (parent === undefined) documents.push(value);
    else if (parent.value.kind === 'list') (parent.value.items as Value[]).push(value);
    else if (parent.value.kind === 'mapping')
      (parent.value.entries as Map<string, Value>).set(parent.key, value);
  };
  const begin = (value: Value): void => {
    add(value);
    open.push({ value, key: '' });
  };
  visit(text, {
    onObjectBegin: (offset) => begin({ kind: 'mapping', entries: new Map(), offset }),
    onArrayBegin: (offset) => begin({ kind: 'list', items: [], offset }),
    onObjectEnd: () => void open.pop(),
    onArrayEnd: () => void open.pop(),
    onObjectProperty: (key, offset) => {
      const parent = open.at(-1);
      if (parent === undefined) return;
      parent.key = key;
      const earlier = parent.value.kind === 'mapping' ? parent.value.entries.get(key) : undefined;
      if (earlier !== undefined)
        warnings.push({ problem: { code: 'repeated-key', key }, offset, first: earlier });
    },
    onLiteralValue: (value: unknown, offset, length) => {
      const literal = typeof value === 'string' ? value : text.slice(offset, offset + length);
      add({ kind: 'text', text: value === null ? '' : literal, offset });
    },
  });
  return { documents, warnings };
}
