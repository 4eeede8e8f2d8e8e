import { createHash, hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Manifest, ManifestEntry } from '../api/documents.ts';
import { rows as interfaceRows } from '../api/openapi/paths.ts';
import { entrySchema, schemas, type SchemaName } from '../api/schemas.ts';
import { parseJson } from '../catalogue/text.ts';
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
  const lines = path.endsWith('.ndjson') ? new LineChecker(report, path) : null;
  const sum = createHash('sha256');
  let bytes = 0;
  for await (const block of Buffer.isBuffer(content) ? [content] : (content ?? [])) {
    bytes += block.length;
    sum.update(block);
    lines?.add(block);
  }
  if (content === null || bytes !== entry.bytes || sum.digest('hex') !== entry.sha256)
    report.addDifference(path, content && bytes, entry);
}

const maxLine = 1024 ** 2;

/** Checks the lines of a file with an event on each. Reports the first line that is wrong. */
class LineChecker {
  readonly #report: Report;
  readonly #path: string;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #line = 0;
  #isValid = true;

  constructor(report: Report, path: string) {
    report.documents++;
    this.#report = report;
    this.#path = path;
  }

  add(block: Buffer): void {
    if (!this.#isValid) return;
    const lines = (this.#rest + this.#decoder.decode(block, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#check(line);
    if (this.#rest.length > maxLine) this.#check('');
  }

  #check(line: string): void {
    this.#line++;
    if (!this.#isValid) return;
    const faults = this.#report.schemaFaults(entrySchema, parseJson(line), 'events');
    this.#isValid = faults.length === 0;
    this.#report.add(this.#path, faults, this.#line);
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
