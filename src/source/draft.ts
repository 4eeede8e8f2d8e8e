import { groupBy } from '../catalogue/group.ts';
import type { Genre } from '../catalogue/model.ts';
import {
  maxProblemsPerFile,
  type TextFinding,
  type ValueFinding,
} from '../readers/schema/finding.ts';
import type { locateIn } from '../readers/schema/json-syntax.ts';
import {
  refuse,
  type Draft,
  type DraftResult,
  type LeftOut,
  type Policy,
  type TextDrafts,
  type TextReading,
  type Times,
} from '../readers/schema/reading.ts';
import type { PartialEvent, PartialSubject } from '../readers/schema/source-types.ts';
import { readSubject } from './subject.ts';

/** An event of a draft that is still part of its subject, and its index in the draft. */
interface Kept {
  readonly event: PartialEvent;
  readonly index: number;
}

/**
 * Makes events of a draft. What is not valid is refused, or left out as the policy of the draft
 * says; then the rest is read again, because the events of a subject depend on each other.
 */
export function readDraft(draft: Draft, genre: Genre, times: Times): DraftResult {
  const { id, source, policy } = draft;
  const isRefused = policy.rest === 'refuse' && policy.parts.length === 0;
  // A limit would begin again for every thousand events that are left out.
  const maxProblems = isRefused ? maxProblemsPerFile : Infinity;
  const leftOut: LeftOut[] = [];
  let readable: readonly Kept[] = (source.events ?? []).map((event, index) => ({ event, index }));
  for (;;) {
    const read = {
      ...source,
      events: readable.map(({ event }) => event),
    };
    const { findings, doubts, ...events } = readSubject(read, id, genre, { ...times, maxProblems });
    const repaired = repair(draft, readable, findings, leftOut);
    if (repaired !== null) {
      readable = repaired;
      continue;
    }
    const subject = {
      ...events,
      id,
      source: read,
      spot: draft.spot,
      floating: events.upcoming.filter((event) => isFloating(event.id, draft)).length,
      pastCount: draft.pastCount ?? events.pastCount,
      private: draft.private ?? 0,
    };
    const located = (list: readonly ValueFinding[]): TextFinding[] =>
      list.map((finding) => locate(finding, draft, readable));
    const isOld = ({ problem }: ValueFinding) =>
      draft.isCalendar === true && problem.code === 'year-behind';
    return {
      subject,
      findings: located(findings),
      doubts: located(doubts.filter((doubt) => !isOld(doubt))),
      leftOut,
    };
  }
}

/**
 * Returns the draft of a subject file, in which nothing may be wrong.
 *
 * @param offsetOf returns the offset of a value in the text of the file
 */
export function draftOfJson(
  id: string,
  source: PartialSubject,
  offsetOf: ReturnType<typeof locateIn>,
): Draft {
  const spotOf: Draft['spotOf'] = (index, key) => {
    const path = key === undefined ? ['events', index] : ['events', index, key];
    return { offset: offsetOf(path) };
  };
  return {
    id,
    source,
    spot: { offset: 0 },
    spotOf,
    policy: refuse,
  };
}

function isFloating(id: string, { floating }: Draft): boolean {
  return floating !== undefined && floating.has(id.slice(id.lastIndexOf('/') + 1));
}

/** Makes events of what a reader saw in a text. */
export function readDrafts(text: TextDrafts, genre: Genre, times: Times): TextReading {
  const results = text.drafts.map((draft) => readDraft(draft, genre, times));
  const report = text.report ?? warnOfLeftOut;
  const { findings, warnings } = report(results);
  return {
    subjects: results.map(({ subject }) => subject),
    findings: [...text.findings, ...results.flatMap((result) => result.findings), ...findings],
    warnings: [...text.warnings, ...warnings],
    doubts: [...text.doubts, ...results.flatMap(({ doubts }) => doubts)],
    ...(text.unpublished && { unpublished: text.unpublished }),
  };
}

function warnOfLeftOut(results: readonly DraftResult[]): Pick<TextDrafts, 'findings' | 'warnings'> {
  const leftOut = results.flatMap((result) => result.leftOut);
  return {
    findings: [],
    warnings: leftOut.flatMap(({ findings }) => findings),
  };
}

/**
 * Returns the events without those, or those parts, that the policy leaves out because of findings.
 * Null if it leaves out nothing. Adds what it leaves out to `leftOut`.
 */
function repair(
  draft: Draft,
  readable: readonly Kept[],
  findings: readonly ValueFinding[],
  leftOut: LeftOut[],
): Kept[] | null {
  const { policy } = draft;
  const byEvent = groupBy(findings, ({ path }) => Number(path[1]));
  const before = leftOut.length;
  const repaired = readable.flatMap((entry, position): Kept[] => {
    const faults = byEvent.get(position);
    const last = faults?.at(-1);
    if (faults === undefined || last === undefined) return [entry];
    const partial = faults.find((fault) => partOf(fault, entry.event, policy) !== null);
    const finding = partial ?? last;
    if (partial === undefined && policy.rest === 'refuse') return [entry];
    const part = partOf(finding, entry.event, policy);
    const located = faults.map((fault) => locate(fault, draft, readable));
    const decisive = located[faults.indexOf(finding)];
    if (decisive !== undefined)
      leftOut.push({
        part,
        finding: decisive,
        findings: located,
      });
    if (part === null) return [];
    return [{ ...entry, event: withoutPart(entry.event, part) }];
  });
  return leftOut.length === before ? null : repaired;
}

/** Returns the part of an event that a finding concerns, if the policy may leave it out. */
function partOf(
  { problem, path }: ValueFinding,
  { starts = '' }: PartialEvent,
  { parts }: Policy,
): Policy['parts'][number] | null {
  if (path[2] === 'ends') return parts.includes('ends') ? 'ends' : null;
  const isTime = timeProblems.has(problem.code) && starts.length > dateLength;
  return isTime && parts.includes('time') ? 'time' : null;
}

const timeProblems: ReadonlySet<string> = new Set([
  'unknown-zone',
  'zone-missing',
  'skipped-time',
  'repeated-time',
]);

const dateLength = 'yyyy-mm-dd'.length;

/** Without its time, an event has no end and needs no zone. */
function withoutPart(event: PartialEvent, part: Policy['parts'][number]): PartialEvent {
  const { ends: _, ...endless } = event;
  if (part === 'ends') return endless;
  const { zone: __, ...dated } = endless;
  return {
    ...dated,
    starts: (event.starts ?? '').slice(0, dateLength),
  };
}

function locate(finding: ValueFinding, draft: Draft, readable: readonly Kept[]): TextFinding {
  const { spotOf, isCalendar } = draft;
  const { path, first } = finding;
  const isFixed = isCalendar === true && finding.problem.code === 'duplicate-id';
  const problem = isFixed ? { ...finding.problem, proposal: null } : finding.problem;
  const indexOf = (position: unknown) => readable[Number(position)]?.index ?? 0;
  const key = typeof path[2] === 'string' ? path[2] : undefined;
  return {
    problem,
    ...spotOf(indexOf(path[1]), key),
    ...(first && { first: spotOf(indexOf(first[1])) }),
  };
}
