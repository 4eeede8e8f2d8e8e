import { createHash, hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Manifest, ManifestEntry } from '../api/documents.ts';
import { rows as interfaceRows } from '../api/openapi/paths.ts';
import { entrySchema, schemas, type SchemaName } from '../api/schemas.ts';
import { parseJson } from '../catalogue/text.ts';
import { ProblemError } from '../problem/problem.ts';
import { linesOf, type Line } from './events.ts';
import type { Site } from './site.ts';
import type { Report } from './verify-report.ts';

/** The site that a file belongs to. */
export interface Whole {
  readonly site: Site;
  readonly files: Manifest['files'];
  /** Whether a host sends the files. It may update lists to the time of the request. */
  readonly isOnHost: boolean;
}

export type Entry = readonly [path: string, entry: ManifestEntry];

/** Whether a file is so large that it is read alone and, unless it is a document, in blocks. */
export function isLarge([, { bytes }]: Entry): boolean {
  return bytes > 16 * 1024 ** 2;
}

/** Checks one file: its bytes, and the schema of what it says. */
export async function checkFile(report: Report, whole: Whole, [path, entry]: Entry): Promise<void> {
  report.files++;
  const schema = documentSchemas.find(([pattern]) => pattern.test(path))?.[1];
  if (schema === undefined && !isCopy.test(path)) return checkBlocks(report, whole, [path, entry]);
  const bytes = await whole.site.read(path, Infinity);
  const isSame = bytes !== null && bytes.length === entry.bytes && hash('sha256', bytes) === entry.sha256;
  const isUpdated = !isSame && bytes !== null && whole.isOnHost && schema !== undefined && updated.has(schema);
  if (!isSame && !isUpdated) return report.addDifference(path, bytes?.length ?? null, entry);
  if (schema === undefined) return checkCopy(report, path, bytes, whole.files);
  report.documents++;
  if (isUpdated) report.updated++;
  report.add(path, report.schemaFaults(schemas[schema], parseJson(bytes.toString())));
}

/** The schemas of the lists that a host updates to the time of the request. */
const updated: ReadonlySet<SchemaName> = new Set(['Events', 'Next', 'Now']);

/** Checks a file that is no document block by block: its bytes and, if it has an event on each line, the lines. */
async function checkBlocks(report: Report, { site }: Whole, [path, entry]: Entry): Promise<void> {
  const content = isLarge([path, entry]) ? await site.blocks(path) : await site.read(path, Infinity);
  const sum = createHash('sha256');
  let bytes = 0;
  async function* blocks(): AsyncGenerator<Buffer> {
    for await (const block of Buffer.isBuffer(content) ? [content] : (content ?? [])) {
      bytes += block.length;
      sum.update(block);
      yield block;
    }
  }
  if (path.endsWith('.ndjson')) await checkLines(report, path, linesOf(`${site.name}/${path}`, blocks()));
  else for await (const _ of blocks());
  if (content === null || bytes !== entry.bytes || sum.digest('hex') !== entry.sha256)
    report.addDifference(path, content && bytes, entry);
}

/** Checks the lines of a file with an event on each. Reports the first line that is wrong. */
async function checkLines(report: Report, path: string, lines: AsyncIterable<Line>): Promise<void> {
  report.documents++;
  let isValid = true;
  try {
    for await (const { text, line } of lines) {
      if (!isValid) continue;
      const faults = report.schemaFaults(entrySchema, parseJson(text), 'events');
      isValid = faults.length === 0;
      report.add(path, faults, line);
    }
  } catch (error) {
    // A line that is too long for the memory. The file need not be read further.
    if (!(error instanceof ProblemError) || error.problems[0]?.code !== 'site-line-invalid') throw error;
    report.problems.push(...error.problems);
  }
}

const isCopy = /\.(br|gz)$/;

/** Checks that a compressed copy, which web servers send instead of its original, has the same content. */
function checkCopy(report: Report, path: string, bytes: Buffer, files: Manifest['files']): void {
  const original = path.replace(isCopy, '');
  const entry = Object.hasOwn(files, original) ? files[original] : undefined;
  if (entry === undefined) return;
  const decode = path.endsWith('.br') ? brotliDecompressSync : gunzipSync;
  let content: Buffer | null = null;
  try {
    content = decode(bytes, { maxOutputLength: Math.max(entry.bytes, 1) });
  } catch {
    // The copy does not have the encoding of its extension, or it is larger than its original.
  }
  if (content !== null && hash('sha256', content) === entry.sha256) return;
  report.add(path, [
    { code: 'site-inconsistent', found: 'other content', expected: `that of ${original}, compressed` },
  ]);
}

/** The schemas of documents by the pattern of their paths, in which `{category}` and `{genre}` stand for ids. */
const documentSchemas = interfaceRows.flatMap(({ path, schema }) => {
  const pattern = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  return schema === null ? [] : [[new RegExp(`^${pattern}$`), schema] as const];
});
