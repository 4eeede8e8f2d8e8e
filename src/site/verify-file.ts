import { createHash, hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Manifest, ManifestEntry } from '../api/documents.ts';
import { past } from '../api/formats.ts';
import { rows as interfaceRows } from '../api/openapi/paths.ts';
import { root, scopeFolder, type Filters } from '../api/paths.ts';
import { schemas } from '../api/schemas.ts';
import { parseJson } from '../catalogue/text.ts';
import type { UnplacedProblem } from '../problem/problem.ts';
import { linesOf, type Line } from './events.ts';
import type { Site } from './site.ts';
import { documentFaults, rowFaults, type Document, type Row } from './verify-document.ts';
import type { Report } from './verify-report.ts';

/** The site that a file belongs to. */
export interface Whole {
  readonly site: Site;
  readonly files: Manifest['files'];
  /** The ids of its categories and genres. */
  readonly ids: Readonly<Record<'categories' | 'genres', ReadonlySet<string>>>;
  /** Whether a host sends the files. It may update lists to the time of the request. */
  readonly isOnHost: boolean;
  /** Returns the time in milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export type Entry = readonly [path: string, entry: ManifestEntry];

/** Whether a file is so large that it is read alone and, unless it is a document, in blocks. */
export function isLarge([, { bytes }]: Entry): boolean {
  return bytes > 16 * 1024 ** 2;
}

/** Checks one file by itself: its bytes, and what it says. Returns null unless it is a document, or has lines. */
export async function checkFile(report: Report, whole: Whole, [path, entry]: Entry): Promise<Document | null> {
  report.files++;
  const schema = documentSchemas.find(([pattern]) => pattern.test(path))?.[1];
  if (schema === undefined && !isCopy.test(path)) return checkBlocks(report, whole, [path, entry]);
  const requested = whole.now();
  const bytes = await whole.site.read(path, Infinity);
  const isSame = bytes !== null && bytes.length === entry.bytes && hash('sha256', bytes) === entry.sha256;
  const isUpdated = !isSame && bytes !== null && whole.isOnHost && (schema === 'Events' || schema === 'Now');
  if (!isSame && !isUpdated) report.addDifference(path, bytes?.length ?? null, entry);
  else if (schema === undefined) checkCopy(report, path, bytes, whole.files);
  else return checkDocument(report, whole, { path, schema, updatedAt: isUpdated ? requested : null }, bytes);
  return null;
}

function checkDocument(
  report: Report,
  whole: Whole,
  place: Pick<Document, 'path' | 'schema' | 'updatedAt'>,
  bytes: Buffer,
): Document | null {
  report.documents++;
  const parsed = parseJson(bytes.toString()) as Partial<Document>;
  const invalid = report.schemaFaults(schemas[place.schema], parsed);
  report.add(place.path, invalid);
  if (invalid.length > 0) return null;
  const { filters, limit, total, since } = parsed;
  const rows = (Object.values(parsed) as unknown[]).find(Array.isArray) ?? [];
  const path = homeOf(place.path, filters, whole);
  const document = { ...place, path, filters, limit, total, since, length: rows.length };
  report.add(place.path, [...documentFaults(document, rows)].slice(0, 3));
  return document;
}

/** Checks a file that is no document block by block: its bytes and, if it has an event on each line, the lines. */
async function checkBlocks(report: Report, whole: Whole, [path, entry]: Entry): Promise<Document | null> {
  const { site } = whole;
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
  const lines = path.endsWith('.ndjson') ? linesOf(`${site.name}/${path}`, blocks()) : null;
  const read = lines && (await readLines(report, whole, path, lines));
  if (lines === null) for await (const _ of blocks());
  if (content === null || bytes !== entry.bytes || sum.digest('hex') !== entry.sha256) {
    report.addDifference(path, content && bytes, entry);
    return null;
  }
  if (read === null) return null;
  report.add(path, read.faults, read.document.length);
  return read.document;
}

/** Reads all events of a file with one on each line. Its length is the number of the first that is wrong. */
async function readLines(report: Report, whole: Whole, path: string, lines: AsyncIterable<Line>) {
  report.documents++;
  const [, category = null, genre = null] = scopePattern.exec(path) ?? [];
  const order = path.endsWith(`/${past.file}`) ? 'Past' : 'Event';
  let filters: Filters = { genre, category };
  const document = { path, schema: 'Event', order, updatedAt: null } as const;
  let [length, previous, faults]: [number, Row | undefined, readonly UnplacedProblem[]] = [0, undefined, []];
  for await (const { text, line } of lines) {
    if (faults.length > 0) continue;
    const event = parseJson(text) as Row;
    faults = report.schemaFaults(schemas.Event, event, 'events');
    if (faults.length > 0) {
      length = line;
      continue;
    }
    const own = { genre: genre && (event.genre ?? null), category: category && (event.category ?? null) };
    if (line === 1 && homeOf(path, own, whole) !== path) filters = own;
    faults = [...rowFaults(event, previous, { ...document, filters })];
    [length, previous] = [line, event];
  }
  return { document: { ...document, filters, length }, faults };
}

/** Returns where a document with these filters is published. A former address has the bytes of the new one. */
function homeOf(path: string, filters: Filters | undefined, { files, ids }: Whole): string {
  const [, category, genre] = scopePattern.exec(path) ?? [];
  const isFormer = (category && !ids.categories.has(category)) || (genre && !ids.genres.has(genre));
  if (filters === undefined || !isFormer) return path;
  const home = scopeFolder(filters) + path.slice(path.lastIndexOf('/'));
  return Object.hasOwn(files, home) && files[home]?.sha256 === files[path]?.sha256 ? home : path;
}

const scopePattern = new RegExp(`^${root}/(?:category/([^/]+)/)?(?:genre/([^/]+)/)?[^/]+$`);
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
