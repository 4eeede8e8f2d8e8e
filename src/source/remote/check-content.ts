import { basename, dirname, join } from 'node:path';
import type { DisplayPath } from '../../problem/problem.ts';
import { readRegular } from '../../system/files.ts';
import type { DataListing } from '../folder.ts';
import type { Sources } from '../json/types.ts';
import { readSource } from '../json/validate.ts';
import { mappingOf } from '../reading.ts';
import { isTable, remoteStem, subjectFilesIn, type TextFormat } from '../subject-files.ts';
import { maxBytes } from '../text.ts';
import type { RemoteFile } from './cache.ts';
import { readContent, type Content, type ContentReport } from './content.ts';

/** What a fetched text is checked against. */
export interface CheckContext {
  readonly data: string;
  readonly displayPath: DisplayPath;
  readonly now: number;
  readonly acceptEmpty?: boolean | undefined;
  readonly listing: DataListing;
  readonly remotes: ReadonlyMap<string, RemoteFile>;
  /** For each genre, by its path, the file that defines each of its subjects. Filled on demand. */
  readonly definedBy: Map<string, Promise<Map<string, string>>>;
}

type CheckResult = Pick<ContentReport, 'problems' | 'warnings'> & { readonly reason: string | null };

export const accepted: CheckResult = { reason: null, problems: [], warnings: [] };

/** Checks a fetched text by itself, against its copy and against the other files of the catalogue. */
export async function checkContent(bytes: Uint8Array, remote: RemoteFile, run: CheckContext): Promise<CheckResult> {
  const report = await readContent(contentOf(bytes, remote.path, remote.source, run));
  const { problems, warnings } = report;
  if (problems.length > 0) return { reason: 'its content is invalid', problems, warnings };
  const lost = report.events === 0 && run.acceptEmpty !== true ? await countEvents(remote, run) : 0;
  if (lost > 0) {
    const reason = `it no longer has events, but its copy has ${lost}; accept this with almanac build --sync --accept-loss`;
    return { reason, problems, warnings };
  }
  return { reason: await addSubjects(report, remote.path, run), problems, warnings };
}

async function countEvents({ path, source, copy }: RemoteFile, run: CheckContext): Promise<number> {
  if (copy === null) return 0;
  return (await readContent(contentOf(readRegular(join(run.data, copy), maxBytes), path, source, run))).events;
}

async function addSubjects({ ids }: ContentReport, path: string, run: CheckContext): Promise<string | null> {
  const genre = dirname(path);
  const found = run.definedBy.get(genre) ?? findFiles(genre, run);
  run.definedBy.set(genre, found);
  const definedBy = await found;
  const taken = ids.find((id) => (definedBy.get(id) ?? path) !== path);
  if (taken !== undefined) {
    const other = run.displayPath(definedBy.get(taken) ?? '');
    return `it defines the subject "${taken}", which ${other} also defines`;
  }
  for (const id of ids) definedBy.set(id, path);
  return null;
}

async function findFiles(genre: string, run: CheckContext): Promise<Map<string, string>> {
  const definedBy = new Map<string, string>();
  const folder = run.listing.categories.flatMap(({ genres }) => genres).find(({ path }) => path === genre);
  for (const { path, stem, format, metadataPath } of subjectFilesIn(genre, folder?.files ?? []).files) {
    const remote = run.remotes.get(path);
    const [shape, file] = remote ? [remote.source.format, remote.copy] : [format, path];
    // A build reports an invalid mapping of a local table.
    const silent = { data: run.data, displayPath: run.displayPath, report: () => {} };
    const mapping = remote?.source ?? (metadataPath === null ? null : readSource(silent, metadataPath, 'columns'));
    const ids = isTable(shape)
      ? await readIds(file, { ...mapping, formerly: undefined, source: '', format: shape as TextFormat }, run)
      : [stem];
    for (const id of ids) if (!definedBy.has(id)) definedBy.set(id, path);
  }
  return definedBy;
}

async function readIds(file: string | null, source: Sources['source'], run: CheckContext): Promise<readonly string[]> {
  if (file === null) return [];
  try {
    const bytes = readRegular(join(run.data, file), maxBytes);
    return (await readContent(contentOf(bytes, file, source, run))).ids;
  } catch {
    // A build reports unreadable local files.
    return [];
  }
}

function contentOf(bytes: Uint8Array, path: string, source: Sources['source'], { now }: CheckContext): Content {
  const { format, name = null, url = null } = source;
  const stem = basename(remoteStem(path));
  return { bytes, format, shown: source.source, stem, name, url, mapping: mappingOf(source), now };
}
