import { createHash, hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { AnnouncedDocument, EventsDocument, Manifest, ManifestEntry, NowDocument } from '../api/documents.ts';
import { rows } from '../api/openapi/paths.ts';
import { schemas } from '../api/schemas.ts';
import { checkList, type CheckedList } from './verify-lists.ts';
import { isAsPublished, type Report } from './verify-report.ts';

/** What a file is checked against. */
interface Expected {
  readonly manifest: Manifest;
  readonly entry: ManifestEntry;
  /** Whether a host sends the file, which may update lists to the time of the request. */
  readonly isOnHost: boolean;
  /** When the file was requested, in milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Checks one file by itself: its bytes, its schema and, for a list, what its records say.
 *
 * @param bytes null if there is no such file
 * @returns the facts for the cross-check if it is a list, otherwise null
 */
export function checkFile(
  report: Report,
  path: string,
  bytes: Buffer | null,
  { manifest, entry, isOnHost, now }: Expected,
): CheckedList | null {
  report.files++;
  if (bytes !== null) checkCompressed(report, path, bytes, manifest);
  const schema = documentSchemas.find(([pattern]) => pattern.test(path))?.[1];
  const isSame = bytes !== null && isAsPublished(bytes, entry);
  const isUpdated = !isSame && bytes !== null && isOnHost && (schema === 'Events' || schema === 'Now');
  if (!isSame && !isUpdated) {
    report.addDifference(path, bytes?.length ?? null, entry);
    return null;
  }
  if (schema === undefined) return null;
  report.documents++;
  const document = parseJson(bytes.toString());
  if (!report.requireSchema(path, schemas[schema], document)) return null;
  if (schema !== 'Events' && schema !== 'Now' && schema !== 'Announced') return null;
  const list = document as EventsDocument | NowDocument | AnnouncedDocument;
  return checkList(report, path, list, { schema, isUpdated, now });
}

/** Compares a file that is too large for the memory with the manifest, block by block. */
export async function checkBlocks(
  report: Report,
  path: string,
  entry: ManifestEntry,
  blocks: Iterable<Buffer> | AsyncIterable<Buffer> | null,
): Promise<void> {
  report.files++;
  if (blocks === null) return report.addDifference(path, null, entry);
  const sum = createHash('sha256');
  let bytes = 0;
  for await (const block of blocks) {
    bytes += block.length;
    sum.update(block);
  }
  if (bytes !== entry.bytes || sum.digest('hex') !== entry.sha256) report.addDifference(path, bytes, entry);
}

/** Returns the value of a JSON text, or undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const decoders = new Map([
  ['br', brotliDecompressSync],
  ['gz', gunzipSync],
]);

/** Checks that a compressed copy, which web servers send instead of its original, has the same content. */
function checkCompressed(report: Report, path: string, bytes: Buffer, { files }: Manifest): void {
  const dot = path.lastIndexOf('.');
  const [decode, original] = [decoders.get(path.slice(dot + 1)), path.slice(0, dot)];
  if (decode === undefined || !Object.hasOwn(files, original)) return;
  const entry = files[original];
  let content: Buffer | null = null;
  try {
    content = decode(bytes, { maxOutputLength: Math.max(entry?.bytes ?? 0, 1) });
  } catch {
    // The copy does not have the encoding of its extension, or it is larger than its original.
  }
  const sha256 = content === null ? null : hash('sha256', content);
  report.requireSame(path, 'the SHA-256 of its content', sha256, entry?.sha256);
}

/** The schemas of documents by the pattern of their paths. Other files are only compared by hash. */
const documentSchemas = rows.flatMap(({ path, schema }) =>
  schema === null ? [] : [[pathPattern(path), schema] as const],
);

/** Returns the pattern of the paths of a row, in which `{category}` and `{genre}` stand for ids. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}
