import { hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Manifest } from '../api/documents.ts';
import type { Report } from './verify-report.ts';

const decoders = new Map([
  ['br', brotliDecompressSync],
  ['gz', gunzipSync],
]);

/** Checks that a compressed copy, which web servers send instead of its original, has the same content. */
export function checkCompressed(report: Report, path: string, bytes: Buffer, { files }: Manifest): void {
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
