import { groupBy } from '../catalogue/group.ts';
import type { TextFinding } from './schema/finding.ts';
import type { ReadSubject, SourceFile, TextReading } from './schema/reading.ts';
import { readSubject } from './subject.ts';

/** Joins several readings of one file. A subject has the events of all of them. */
export function mergeReadings(readings: readonly TextReading[], file: SourceFile): TextReading {
  const [only] = readings;
  if (only !== undefined && readings.length === 1) return only;
  const findings: TextFinding[] = readings.flatMap((reading) => reading.findings);
  const all = readings.flatMap((reading) => reading.subjects);
  const subjects = [...groupBy(all, ({ id }) => id).values()].map((same) =>
    mergeSubjects(same, file, findings),
  );
  return {
    subjects,
    findings,
    warnings: readings.flatMap((reading) => reading.warnings),
    doubts: readings.flatMap((reading) => reading.doubts),
    unpublished: only?.unpublished ?? new Map(),
  };
}

function mergeSubjects(
  same: readonly ReadSubject[],
  file: SourceFile,
  findings: TextFinding[],
): ReadSubject {
  const [first] = same as [ReadSubject, ...ReadSubject[]];
  if (same.length === 1) return first;
  const events = same.flatMap(({ source }) => source.events ?? []);
  const source = { ...first.source, events };
  const { findings: repeated, ...reading } = readSubject(source, first.id, file.genre, file);
  for (const { problem } of repeated) findings.push({ problem, ...first.spot });
  return { ...first, ...reading, source };
}
