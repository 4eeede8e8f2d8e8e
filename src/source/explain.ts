import { basename } from 'node:path';
import type { core } from 'zod';
import type { Problem } from '../problem/problem.ts';
import { nearest } from '../problem/nearest.ts';
import { columnWords, wordSet } from '../readers/schema/column-words.ts';
import {
  maxProblemsPerFile,
  placeFirst,
  type FoundProblem,
  type JsonPath,
  type TextFinding,
  type ValueFinding,
} from '../readers/schema/finding.ts';
import { plainWords } from '../catalogue/text.ts';
import { findRangeProblem } from '../readers/schema/rules.ts';
import type { Times } from '../readers/schema/reading.ts';
import { draftOfJson, readDraft } from './draft.ts';
import {
  describeType,
  maxExplainedCharacters,
  parseJson,
  withArticle,
} from '../readers/schema/json-parse.ts';
import { eventSchema, sourceSchemas } from '../readers/schema/source-schemas.ts';
import { findTextProblems, locateIn } from '../readers/schema/json-syntax.ts';
import type { PartialSubject, SourceKind } from '../readers/schema/source-types.ts';

/** How a source file is read. */
interface Reading {
  /** The path that problems show. */
  readonly file: string;
  /** The default zone of its events. */
  readonly zone?: string | null;
  readonly times?: Times;
}

/** Returns everything that is wrong with a source file. */
export function explain(text: string, kind: SourceKind, reading: Reading): Problem[] {
  return placeFirst(findProblems(text, kind, reading), text, reading.file);
}

function findProblems(text: string, kind: SourceKind, reading: Reading): TextFinding[] {
  if (text.length > maxExplainedCharacters) {
    return [
      {
        problem: {
          code: 'too-large-to-explain',
          length: text.length,
          most: maxExplainedCharacters,
        },
        offset: 0,
      },
    ];
  }
  const findings = findTextProblems(text);
  if (findings.some(({ problem }) => problem.code !== 'duplicate-key')) return findings;
  const value = limitInvalidEvents(parseJson(text));
  const schemaProblems = findSchemaProblems(value, sourceSchemas[kind]);
  const offsetOf = locateIn(text);
  const located =
    kind === 'naming'
      ? schemaProblems.map((finding) => explainEvents(finding, reading.file))
      : schemaProblems;
  // Looking up a place takes longer than finding a problem, and no more problems than these are
  // reported.
  for (const { problem, path, key, first } of located.slice(0, maxProblemsPerFile + 1)) {
    findings.push({
      problem,
      offset: offsetOf(path, key),
      ...(first && { first: { offset: offsetOf(first) } }),
    });
  }
  if (kind !== 'subject') return findings;
  return [...findings, ...findEventProblems(value, schemaProblems, offsetOf, reading)];
}

/**
 * A metadata file with events needs other advice than to remove the key, because the events would
 * be lost.
 */
function explainEvents(finding: ValueFinding, file: string): ValueFinding {
  if (finding.key !== 'events') return finding;
  return {
    ...finding,
    problem: { code: 'events-beside-calendar', calendar: basename(file).replace(/json$/, 'ics') },
  };
}

/**
 * Drops the events of a subject after the last invalid one that is reported, because zod takes
 * kilobytes for each.
 */
function limitInvalidEvents(value: unknown): unknown {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('events' in value) ||
    !Array.isArray(value.events)
  )
    return value;
  let invalid = 0;
  const end = value.events.findIndex(
    (event) => !eventSchema.safeParse(event).success && ++invalid > maxProblemsPerFile,
  );
  if (end === -1) return value;
  return { ...value, events: value.events.slice(0, end + 1) };
}

function findSchemaProblems(
  value: unknown,
  schema: (typeof sourceSchemas)[SourceKind],
): ValueFinding[] {
  const result = schema.safeParse(value, { reportInput: true });
  const findings = result.success
    ? []
    : result.error.issues.flatMap((issue) => findingsOf(issue, schema));
  const keyOf = ({ path }: ValueFinding, key: string | null) => [...path, key].join('/');
  // A misspelt key is reported alone, and not as missing too.
  const misspelt = new Set(
    findings.map((finding) =>
      'nearest' in finding.problem ? keyOf(finding, finding.problem.nearest) : '',
    ),
  );
  return findings.filter(
    (finding) =>
      finding.problem.code !== 'missing-key' || !misspelt.has(keyOf(finding, finding.problem.key)),
  );
}

function nearestKey(name: string, allowed: readonly string[]): string | null {
  const namesake = columnWords.columns.find(
    ({ field, names }) => allowed.includes(field) && wordSet(names).has(plainWords(name)),
  );
  return namesake?.field ?? nearest(name, allowed);
}

function findEventProblems(
  value: unknown,
  schemaProblems: readonly ValueFinding[],
  offsetOf: ReturnType<typeof locateIn>,
  { zone = null, times = { now: Infinity } }: Reading,
) {
  const valid = structuredClone(value) as PartialSubject;
  for (const { problem, path, key } of schemaProblems) {
    if (problem.code !== 'missing-key') blank(valid, key === undefined ? path : [...path, key]);
  }
  if (typeof valid !== 'object' || valid === null || !Array.isArray(valid.events)) return [];
  const events = valid.events.map((event) => event ?? {});
  const draft = draftOfJson('', { ...valid, events }, offsetOf);
  return readDraft(draft, { id: '', name: '', category: '', zone }, times).findings;
}

/**
 * Sets a value to undefined but keeps its key, so that an invalid value differs from a missing one.
 */
function blank(value: unknown, path: JsonPath): void {
  let inner = value as Record<string | number, unknown> | undefined;
  for (const key of path.slice(0, -1)) inner = inner?.[key] as typeof inner;
  const last = path.at(-1);
  if (typeof inner === 'object' && inner !== null && last !== undefined && last in inner)
    inner[last] = undefined;
}

function findingsOf(issue: core.$ZodIssue, schema: core.$ZodType): ValueFinding[] {
  const path = issue.path as JsonPath;
  const key = describeKey(path);
  const wrongType = (expected: string): ValueFinding[] => {
    return [
      { problem: { code: 'wrong-type', key, expected, found: describeType(issue.input) }, path },
    ];
  };
  switch (issue.code) {
    case 'unrecognized_keys': {
      const allowed = keysAt(schema, path);
      return issue.keys.map((name) => ({
        problem: {
          code: 'unknown-key',
          key: name,
          nearest: nearestKey(name, allowed),
          allowed,
        },
        path,
        key: name,
      }));
    }
    case 'invalid_type': {
      const parent = path.slice(0, -1);
      if (issue.input === undefined && typeof path.at(-1) === 'string') {
        const required = keysAt(schema, parent, true);
        return [{ problem: { code: 'missing-key', key, required }, path: parent }];
      }
      return wrongType(withArticle(issue.expected));
    }
    case 'invalid_union': {
      // If the value has the type of one member of the union, only that member's issues are
      // reported.
      const branch = issue.errors.find(
        (inner) => !inner.some(({ code, path: at }) => code === 'invalid_type' && at.length === 0),
      );
      if (branch !== undefined) {
        return branch.flatMap((inner) =>
          findingsOf({ ...inner, path: [...issue.path, ...inner.path] }, schema),
        );
      }
      const expected = issue.errors
        .flat()
        .map((inner) => ('expected' in inner ? withArticle(inner.expected) : ''));
      return wrongType(expected.join(' or '));
    }
    case 'too_small':
      return sizeFindings(issue.input, path, { minimum: Number(issue.minimum) });
    case 'too_big':
      return sizeFindings(issue.input, path, { maximum: Number(issue.maximum) });
    case 'custom':
      return [{ problem: { key, ...issue.params } as unknown as FoundProblem, path }];
    default:
      return [{ problem: { code: 'unexpected', reason: issue.message }, path: [] }];
  }
}

/** Returns what is wrong with a list that is too long, or with a number out of its range. */
function sizeFindings(
  value: unknown,
  path: JsonPath,
  range: Parameters<typeof findRangeProblem>[2],
): ValueFinding[] {
  const key = describeKey(path);
  if (Array.isArray(value)) {
    return [
      {
        problem: {
          code: 'too-many-entries',
          key,
          length: value.length,
          most: range.maximum ?? 0,
        },
        path,
      },
    ];
  }
  // The length of a text is of no concern where a list is expected.
  const problem = typeof value === 'number' ? findRangeProblem(key, value, range) : null;
  return problem === null ? [] : [{ problem, path }];
}

function describeKey(path: JsonPath): string {
  const key = path.at(-1);
  if (key === undefined) return 'the file';
  if (typeof key === 'number') return `entry ${key + 1} of ${String(path.at(-2))}`;
  return key;
}

function keysAt(schema: core.$ZodType, path: JsonPath, onlyRequired = false): string[] {
  let inner = unwrap(schema);
  for (const key of path) {
    inner = unwrap(
      (typeof key === 'number' ? inner.element : (inner.shape?.[key] ?? inner.catchall)) ?? schema,
    );
  }
  const keys = Object.entries(inner.shape ?? {});
  return keys
    .filter(([, value]) => !onlyRequired || value._zod.optin !== 'optional')
    .map(([key]) => key);
}

interface SchemaDefinition {
  readonly options?: readonly core.$ZodType[];
  readonly shape?: Readonly<Record<string, core.$ZodType>>;
  readonly element?: core.$ZodType;
  /** The schema of the values of other keys. */
  readonly catchall?: core.$ZodType;
}

function unwrap(schema: core.$ZodType): SchemaDefinition {
  const definition = schema._zod.def as SchemaDefinition & { readonly innerType?: core.$ZodType };
  if (definition.innerType) return unwrap(definition.innerType);
  return definition.options?.map(unwrap).find(({ shape }) => shape !== undefined) ?? definition;
}
