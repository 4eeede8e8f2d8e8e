import type { core } from 'zod';
import { basename, join } from 'node:path';
import { wholeFile, type Problem, type DisplayPath } from '../../problem/problem.ts';
import { nearest } from '../../problem/nearest.ts';
import { mostOfOneFile, type Finding, type JsonPath, type ValueFinding, type FoundProblem } from '../finding.ts';
import { findTextFaults, mostExplained, parseJson } from './syntax.ts';
import { placeFirst } from '../place-findings.ts';
import type { Suspect } from './read-source.ts';
import { readText } from '../text.ts';
import * as schemas from './schemas.ts';
import { isEvent, namingShape, subjectShape, type Shape } from './validate.ts';
import { readSubject, type PartlySubject } from '../subject.ts';

/** Everything that is wrong with the suspected files, each with its line and column. This is the slow second look. */
export function explainSuspects(data: string, suspects: readonly Suspect[], displayPath: DisplayPath): Problem[] {
  return suspects.flatMap((suspect) => {
    const text = readText(join(data, suspect.path));
    const file = displayPath(suspect.path);
    if (typeof text !== 'string') return [{ ...text, place: wholeFile(file) }];
    const findings = findIn(text, suspect);
    return findings.length === 0 ? [vanished(file)] : placeFirst(findings, text, file);
  });
}

/** What two looks at a file do not agree on can only be a file that changed between them. */
function vanished(file: string): Problem {
  return { code: 'unreadable-file', place: wholeFile(file), reason: 'it changed while it was being read' };
}

function findIn(text: string, suspect: Suspect): readonly Finding[] {
  return 'findings' in suspect ? suspect.findings : findInJson(text, suspect.path, suspect.shape);
}

function findInJson(text: string, path: string, shape: Shape<unknown>): Finding[] {
  if (text.length > mostExplained) {
    return [{ problem: { code: 'too-large-to-explain', length: text.length, most: mostExplained }, offset: 0 }];
  }
  const faults = findTextFaults(text);
  if (faults.some(({ problem }) => problem.code !== 'duplicate-key')) return faults;
  const value = firstMisfits(parseJson(text));
  const misshapen = findMisshapen(value, schemas[shape.schema]).map((finding) => besideCalendar(finding, path, shape));
  const rest = shape === subjectShape ? findUnrelated(value, misshapen) : [];
  return [...faults, ...misshapen, ...rest];
}

/** Events in a file that may only name the calendar beside it are none to throw away. */
function besideCalendar(finding: ValueFinding, path: string, shape: Shape<unknown>): ValueFinding {
  if (shape !== namingShape || finding.key !== 'events') return finding;
  const calendar = basename(path).replace(/json$/, 'ics');
  return { ...finding, problem: { code: 'events-beside-calendar', calendar } };
}

function findMisshapen(value: unknown, schema: (typeof schemas)[keyof typeof schemas]): ValueFinding[] {
  const result = schema.safeParse(value, { reportInput: true });
  return result.success ? [] : result.error.issues.flatMap((issue) => findingsOf(issue, schema));
}

/** A subject cut behind as many events of the wrong shape as are told: each would cost the schema some kilobytes. */
function firstMisfits(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('events' in value) || !Array.isArray(value.events)) return value;
  let misfits = 0;
  const end = value.events.findIndex((event) => !isEvent(event) && ++misfits > mostOfOneFile);
  return end === -1 ? value : { ...value, events: value.events.slice(0, end + 1) };
}

/** The problems between the parts of a subject that are of the right shape. */
function findUnrelated(value: unknown, misshapen: readonly ValueFinding[]): readonly Finding[] {
  const rest = structuredClone(value) as PartlySubject;
  for (const { problem, path, key } of misshapen) {
    if (problem.code !== 'missing-key') blank(rest, key === undefined ? path : [...path, key]);
  }
  if (typeof rest !== 'object' || rest === null || !Array.isArray(rest.events)) return [];
  const events = rest.events.map((event) => event ?? {});
  return readSubject({ ...rest, events }, '', { id: '', name: '', category: '' }, Infinity).findings;
}

/** Leaves the key with an undefined value, so that "wrong" can be told from "absent". */
function blank(value: unknown, path: JsonPath): void {
  let inner = value as Record<string | number, unknown> | undefined;
  for (const key of path.slice(0, -1)) inner = inner?.[key] as typeof inner;
  const last = path.at(-1);
  if (typeof inner === 'object' && inner !== null && last !== undefined && last in inner) inner[last] = undefined;
}

function findingsOf(issue: core.$ZodIssue, schema: core.$ZodType): ValueFinding[] {
  const path = issue.path as JsonPath;
  const key = describeKey(path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((name) => {
        const allowed = keysAt(schema, path);
        return {
          problem: { code: 'unknown-key', key: name, nearest: nearest(name, allowed), allowed },
          path,
          key: name,
        };
      });
    case 'invalid_type':
      if (issue.input === undefined && typeof path.at(-1) === 'string') {
        const required = keysAt(schema, path.slice(0, -1), true);
        return [{ problem: { code: 'missing-key', key: String(path.at(-1)), required }, path: path.slice(0, -1) }];
      }
      return [
        {
          problem: { code: 'wrong-type', key, expected: withArticle(issue.expected), found: describe(issue.input) },
          path,
        },
      ];
    case 'custom':
      return [{ problem: { key, ...issue.params } as unknown as FoundProblem, path }];
    default:
      return [{ problem: { code: 'unexpected', reason: issue.message }, path: [] }];
  }
}

function describeKey(path: JsonPath): string {
  const key = path.at(-1);
  if (key === undefined) return 'the file';
  return typeof key === 'number' ? `entry ${key + 1} of ${String(path.at(-2))}` : key;
}

/** The keys that a schema allows (or requires) in the object at a path. */
function keysAt(schema: core.$ZodType, path: JsonPath, required = false): string[] {
  let inner = unwrap(schema);
  for (const key of path) inner = unwrap((typeof key === 'number' ? inner.element : inner.shape?.[key]) ?? schema);
  return Object.entries(inner.shape ?? {}).flatMap(([key, value]) =>
    required && value._zod.optin === 'optional' ? [] : [key],
  );
}

interface Inner {
  readonly shape?: Readonly<Record<string, core.$ZodType>>;
  readonly element?: core.$ZodType;
}

function unwrap(schema: core.$ZodType): Inner {
  const def = schema._zod.def as Inner & { readonly innerType?: core.$ZodType };
  return def.innerType ? unwrap(def.innerType) : def;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return withArticle(typeof value);
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
