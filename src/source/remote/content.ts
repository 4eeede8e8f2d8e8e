import { basename, join } from 'node:path';
import { compareProblems, printable, wholeFile, type Problem } from '../../problem/problem.ts';
import { readRegular } from '../../system/files.ts';
import { maxProblemsPerSource, placeAll } from '../finding.ts';
import type { Sources } from '../json/types.ts';
import { mappingOf } from '../reading.ts';
import { readers } from '../readers.ts';
import { remoteStem } from '../subject-files.ts';
import { decode, decodeTable, maxBytes } from '../text.ts';
import type { RemoteFile } from './cache.ts';

interface ContentReport {
  readonly problems: readonly Problem[];
  /** The number of events that are not over. */
  readonly events: number;
}

/** The result of a check. The text may replace the copy if `reason` is null. */
type CheckResult = ContentReport & { readonly reason: string | null };

export const accepted: CheckResult = { reason: null, problems: [], events: 0 };

/** Checks a fetched text by itself and against its copy. */
export async function checkContent(
  bytes: Uint8Array,
  remote: RemoteFile,
  { data, now, acceptEmpty = false }: { data: string; now: number; acceptEmpty?: boolean | undefined },
): Promise<CheckResult> {
  const { path, source, copy } = remote;
  const content = await readContent(bytes, path, source, now);
  if (content.problems.length > 0) return { ...content, reason: 'its content is invalid' };
  if (content.events > 0 || copy === null || acceptEmpty) return { ...content, reason: null };
  const { events: lost } = await readCopy(remote, data, now);
  const reason = `it no longer has events, but its copy has ${lost}; accept this with almanac build --sync --accept-loss`;
  return { ...content, reason: lost === 0 ? null : reason };
}

/** Reads the copy of a source. */
export async function readCopy({ path, source, copy }: RemoteFile, data: string, now: number): Promise<ContentReport> {
  return copy === null ? accepted : readContent(readRegular(join(data, copy), maxBytes), path, source, now);
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
  // The build, which reads the copy again, warns of what is doubtful in it.
  const text = (format === 'almanac' ? decode : decodeTable)(Buffer.from(bytes), () => shown);
  if (typeof text !== 'string') return { problems: [text], events: 0 };
  if (format !== 'jsonld' && htmlPage.test(text)) {
    const problem = { code: 'page-answered', place: wholeFile(shown), isSignIn: signIn.test(text) } as const;
    return { problems: [problem], events: 0 };
  }
  try {
    const read = await readers[format]();
    const genre = { id: 'genre', name: '', category: '' };
    const { subjects, findings } = read(text, { ...file, genre, isLenient: true });
    const problems = placeAll(findings, text, shown).sort(compareProblems).slice(0, maxProblemsPerSource);
    const current = subjects.flatMap((one) => [one.upcoming, one.under_way, one.cancelled, one.announced].flat());
    return { problems, events: current.length };
  } catch (error) {
    // A reader that fails on one source must not stop the others.
    const problem: Problem = { code: 'unexpected', place: wholeFile(shown), reason: printable(String(error)) };
    return { problems: [problem], events: 0 };
  }
}

const htmlPage = /^\s*<(?:!doctype html|html|head|body)\b/i;
const signIn =
  /<input\b[^>]{0,500}\btype\s*=\s*["']?password|accounts\.google\.com\/|login\.(?:microsoftonline|live)\.com\//i;
