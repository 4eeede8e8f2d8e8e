import { compareProblems, printable, wholeFile, type Problem } from '../../problem/problem.ts';
import { maxProblemsPerSource, type TextFinding } from '../finding.ts';
import { placeAll } from '../positions.ts';
import type { SourceFile } from '../reading.ts';
import { readers } from '../readers.ts';
import type { TextFormat } from '../subject-files.ts';
import { decode, decodeTable } from '../text.ts';

/** The text of a calendar or table, and the fields of its source file. */
export interface Content extends Pick<SourceFile, 'stem' | 'name' | 'url' | 'mapping' | 'now'> {
  readonly bytes: Uint8Array;
  readonly format: TextFormat;
  readonly shown: string;
}

/** The result of reading a text. If there are problems, only the ids are reliable. */
export interface ContentReport {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly ids: readonly string[];
  readonly events: number;
}

export async function readContent({ bytes, format, shown, ...file }: Content): Promise<ContentReport> {
  const place = wholeFile(shown);
  const nothing = { warnings: [], ids: [], events: 0 };
  const guesses: Problem[] = [];
  const warn = (problem: Problem): unknown => guesses.push(problem);
  const text = (format === 'almanac' ? decode : decodeTable)(Buffer.from(bytes), () => shown, warn);
  if (typeof text !== 'string') return { ...nothing, problems: [text] };
  try {
    const read = await readers[format]();
    const genre = { id: 'genre', name: '', category: '' };
    const { subjects, findings, warnings } = read(text, { ...file, genre, isLenient: true });
    const placed = (found: readonly TextFinding[]): Problem[] =>
      placeAll(found, text, shown).sort(compareProblems).slice(0, maxProblemsPerSource);
    const events = subjects.reduce((sum, { source }) => sum + (source.events?.length ?? 0), 0);
    return {
      problems: placed(findings),
      warnings: [...guesses, ...placed(warnings)],
      ids: subjects.map(({ id }) => id),
      events,
    };
  } catch (error) {
    // A reader that fails on one source must not stop the others.
    return { ...nothing, problems: [{ code: 'unexpected', place, reason: printable(String(error)) }] };
  }
}
