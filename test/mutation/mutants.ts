import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from 'oxc-parser';
import { groupBy } from '../../src/catalogue/group.ts';

/** One changed place of the source. */
export interface Mutant {
  readonly id: number;
  /** The path below `src/`, with slashes. */
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

type Place = Omit<Mutant, 'id' | 'file' | 'line' | 'before'>;
type Node = Record<string, unknown> & { type: string; start: number; end: number };

const src = 'src';

const operators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
};

/**
 * Returns a sample of faults, as many from each room. The same seed gives the same sample of the
 * same source. The rooms are separated by commas; an empty text stands for all.
 */
export function sampleMutants(seed: number, count: number, chosenRooms: string): Mutant[] {
  const isChosen = (file: string): boolean =>
    chosenRooms === '' || chosenRooms.split(',').includes(roomOf({ file }));
  const rooms = groupBy(sourceFiles().filter(isChosen), (file) => roomOf({ file }));
  const share = Math.ceil(count / rooms.size);
  const random = randomNumbers(seed);
  const sample = [...rooms.values()].flatMap((files) => {
    const places = files.flatMap((file) => findPlaces(file).map((place) => ({ file, ...place })));
    const shuffled = places
      .map((place) => ({ place, rank: random() }))
      .toSorted((a, b) => a.rank - b.rank);
    const chosen: typeof places = [];
    for (const { place } of shuffled) {
      const isApart = ({ file, start, end }: typeof place) =>
        file !== place.file || end <= place.start || place.end <= start;
      if (chosen.length < share && chosen.every(isApart)) chosen.push(place);
    }
    return chosen;
  });
  return sample.map(({ file, ...place }, index) => {
    const text = read(file);
    const line = text.slice(0, place.start).split('\n').length;
    return { id: index + 1, file, line, before: text.slice(place.start, place.end), ...place };
  });
}

export function roomOf({ file }: Pick<Mutant, 'file'>): string {
  return file.split('/')[0] ?? '';
}

/** Returns the source in which each mutant is chosen at run time. */
export function withMutants(code: string, mutants: readonly Mutant[]): string {
  let [text, at] = ['', 0];
  for (const { id, start, end, before, after } of mutants.toSorted((a, b) => a.start - b.start)) {
    text += `${code.slice(at, start)}(globalThis.isMutant(${id}) ? (${after}) : (${before}))`;
    at = end;
  }
  return text + code.slice(at);
}

/**
 * What runs only in a browser, as a program of its own or when almanac is compiled is not reached
 * within this process.
 */
function sourceFiles(): string[] {
  const isTestable = (file: string): boolean =>
    file.endsWith('.ts') &&
    !/^(compile\.ts|pages\/browser\/|cli\/(main|start|shell)\.ts|api\/schemas\.ts)/.test(file);
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll(sep, '/'),
  );
  return files.filter(isTestable).toSorted();
}

const read = (file: string): string => readFileSync(join(src, file), 'utf8');

/** Returns the places within functions. The constants of modules are rather data. */
function findPlaces(file: string): Place[] {
  const code = read(file);
  const places: Place[] = [];
  const visit = (node: Node, isInFunction: boolean): void => {
    if (node.type.startsWith('TS') && !('expression' in node)) return;
    if (isInFunction) places.push(...placesOf(node, code));
    const isFunction = /Function(Declaration|Expression)$/.test(node.type);
    for (const [key, value] of Object.entries(node)) {
      if (/^(typeAnnotation|typeArguments|typeParameters|returnType|key|source|id)$/.test(key))
        continue;
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
        // A default or a pattern of a parameter belongs to the function as well.
        if (isNode(child)) visit(child, isInFunction || isFunction);
      }
    }
  };
  visit(parseSync(file, code).program as unknown as Node, false);
  return places;
}

function placesOf(node: Node, code: string): Place[] {
  const { start, end } = node;
  const text = (part: unknown): string => (isNode(part) ? code.slice(part.start, part.end) : '');
  const replacedBy = (after: string): Place => ({ start, end, after });
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      if (node['operator'] === '??') return [replacedBy(text(node['left']))];
      const operator = operators[String(node['operator'])];
      return operator === undefined
        ? []
        : [replacedBy(`(${text(node['left'])}) ${operator} (${text(node['right'])})`)];
    }
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement': {
      const { test } = node;
      return isNode(test)
        ? ['true', 'false'].map((after) => ({ start: test.start, end: test.end, after }))
        : [];
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? [replacedBy(text(node['argument']))] : [];
    case 'ExpressionStatement': {
      const { expression } = node;
      if (!isNode(expression) || expression.type !== 'CallExpression') return [];
      return [{ start: expression.start, end: expression.end, after: 'undefined' }];
    }
    case 'Literal':
      return literalPlaces(node['value'], replacedBy);
    default:
      return [];
  }
}

function literalPlaces(value: unknown, replacedBy: (after: string) => Place): Place[] {
  if (typeof value === 'number') return [replacedBy(String(value + 1))];
  if (typeof value === 'boolean') return [replacedBy(String(!value))];
  if (typeof value === 'string') return [replacedBy(value === '' ? "'mutant'" : "''")];
  return [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** Numbers between 0 and 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
