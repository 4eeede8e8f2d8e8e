import { basename, join } from 'node:path';
import { compareProblems, printable, wholeFile, type Problem } from '../../problem/problem.ts';
import { readRegular } from '../../system/files.ts';
import { maxProblemsPerSource, placeAll, type TextFinding } from '../finding.ts';
import type { Sources } from '../json/types.ts';
import { mappingOf } from '../reading.ts';
import { readers } from '../readers.ts';
import { remoteStem } from '../subject-files.ts';
import { decode, decodeTable, maxBytes } from '../text.ts';
import type { RemoteFile } from './cache.ts';

interface ContentReport {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly events: number;
}

/** The result of a check. The text may replace the copy if `reason` is null. */
type CheckResult = Pick<ContentReport, 'problems' | 'warnings'> & { readonly reason: string | null };

export const accepted: CheckResult = { reason: null, problems: [], warnings: [] };

/** Checks a fetched text by itself and against its copy. */
export async function checkContent(
  bytes: Uint8Array,
  { path, source, copy }: RemoteFile,
  { data, now, acceptEmpty = false }: { data: string; now: number; acceptEmpty?: boolean | undefined },
): Promise<CheckResult> {
  const { problems, warnings, events } = await readContent(bytes, path, source, now);
  if (problems.length > 0) return { reason: 'its content is invalid', problems, warnings };
  if (events > 0 || copy === null || acceptEmpty) return { reason: null, problems, warnings };
  const { events: lost } = await readContent(readRegular(join(data, copy), maxBytes), path, source, now);
  const reason = `it no longer has events, but its copy has ${lost}; accept this with almanac build --sync --accept-loss`;
  return { reason: lost === 0 ? null : reason, problems, warnings };
}

/** Reads the content that the source file at a path refers to. Problems show the address. */
export async function readContent(
  bytes: Uint8Array,
  path: string,
  source: Sources['source'],
  now: number,
): Promise<ContentReport> {
  const { format, name = null, url = null, source: shown } = source;
  const file = { stem: basename(remoteStem(path)), name, url, mapping: mappingOf(source), now };
  const guesses: Problem[] = [];
  const warn = (problem: Problem): unknown => guesses.push(problem);
  const text = (format === 'almanac' ? decode : decodeTable)(Buffer.from(bytes), () => shown, warn);
  if (typeof text !== 'string') return { problems: [text], warnings: [], events: 0 };
  if (format !== 'jsonld' && htmlPage.test(text)) {
    const problem = { code: 'page-answered', place: wholeFile(shown), isSignIn: signIn.test(text) } as const;
    return { problems: [problem], warnings: [], events: 0 };
  }
  try {
    const read = await readers[format]();
    const genre = { id: 'genre', name: '', category: '' };
    const { subjects, findings, warnings } = read(text, { ...file, genre, isLenient: true });
    const placed = (found: readonly TextFinding[]): Problem[] =>
      placeAll(found, text, shown).sort(compareProblems).slice(0, maxProblemsPerSource);
    const events = subjects.reduce((sum, { source: { events: list = [] } }) => sum + list.length, 0);
    return { problems: placed(findings), warnings: [...guesses, ...placed(warnings)], events };
  } catch (error) {
    // A reader that fails on one source must not stop the others.
    const problem: Problem = { code: 'unexpected', place: wholeFile(shown), reason: printable(String(error)) };
    return { problems: [problem], warnings: [], events: 0 };
  }
}

const htmlPage = /^\s*<(?:!doctype html|html|head|body)\b/i;
const signIn =
  /<input\b[^>]{0,500}\btype\s*=\s*["']?password|accounts\.google\.com\/|login\.(?:microsoftonline|live)\.com\//i;
