import { basename, join } from 'node:path';
import { compareProblems, printable, wholeFile, type Problem } from '../../problem/problem.ts';
import { readRegular } from '../../system/files.ts';
import { maxProblemsPerSource, placeAll } from '../finding.ts';
import { mappingOf } from '../reading.ts';
import { readers } from '../readers.ts';
import { remoteStem } from '../subject-files.ts';
import { decode, decodeTable, maxBytes } from '../text.ts';
import type { RemoteFile } from './cache.ts';

type Origin = Pick<RemoteFile, 'path' | 'source'>;

interface ContentReport {
  readonly problems: readonly Problem[];
  /** The number of events that are not over. */
  readonly events: number;
  /** Why the text may not replace the copy. */
  readonly reason?: string;
}

export const accepted: ContentReport = { problems: [], events: 0 };

/** Checks a fetched text by itself and against its copy. */
export async function checkContent(
  bytes: Uint8Array,
  remote: RemoteFile,
  { data, now, acceptEmpty = false }: { data: string; now: number; acceptEmpty?: boolean | undefined },
): Promise<ContentReport> {
  const content = await readContent(bytes, remote, now);
  if (content.problems.length > 0) return { ...content, reason: 'its content is invalid' };
  if (content.events > 0 || remote.copy === null || acceptEmpty) return content;
  const { events: lost } = await readCopy(remote, data, now);
  const reason = `it no longer has events, but its copy has ${lost}; accept this with almanac build --sync --accept-loss`;
  return lost === 0 ? content : { ...content, reason };
}

/** Reads the copy of a source. */
export async function readCopy(remote: RemoteFile, data: string, now: number): Promise<ContentReport> {
  const { copy } = remote;
  return copy === null ? accepted : readContent(readRegular(join(data, copy), maxBytes), remote, now);
}

/** Reads the content that the source file at a path refers to. Problems show the address. */
export async function readContent(bytes: Uint8Array, { path, source }: Origin, now: number): Promise<ContentReport> {
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
