import { groupBy } from '../catalogue/group.ts';
import type { Draft, DraftResult, TextDrafts } from './schema/reading.ts';

/** Joins what several mappings of one file say. A subject has the events of all of them. */
export function mergeDrafts(texts: readonly TextDrafts[]): TextDrafts {
  const [only] = texts;
  if (only !== undefined && texts.length === 1) return only;
  const drafts = texts.flatMap((text) => text.drafts);
  const merged = [...groupBy(drafts, ({ id }) => id).values()].map(mergeSubject);
  const reportOf = ({ drafts: members, report }: TextDrafts, results: readonly DraftResult[]) => {
    const ids = new Set(members.map(({ id }) => id));
    const subjects = results.filter(({ subject }) => ids.has(subject.id));
    return report?.(subjects) ?? { findings: [], warnings: [] };
  };
  return {
    drafts: merged,
    findings: texts.flatMap((text) => text.findings),
    warnings: texts.flatMap((text) => text.warnings),
    doubts: texts.flatMap((text) => text.doubts),
    unpublished: only?.unpublished ?? new Map(),
    report: (results) => {
      const reports = texts.map((text) => reportOf(text, results));
      return {
        findings: reports.flatMap(({ findings }) => findings),
        warnings: reports.flatMap(({ warnings }) => warnings),
      };
    },
  };
}

function mergeSubject(same: readonly Draft[]): Draft {
  const [first] = same as [Draft, ...Draft[]];
  const places = same.flatMap(({ source, spotOf }) => {
    const indexes = [...(source.events ?? []).keys()];
    return indexes.map((index) => ({ spotOf, index }));
  });
  return {
    ...first,
    source: { ...first.source, events: same.flatMap(({ source }) => source.events ?? []) },
    spotOf: (event, key) => {
      const { spotOf, index } = places[event] ?? { spotOf: first.spotOf, index: event };
      return spotOf(index, key);
    },
  };
}
