import { createHash, hash } from 'node:crypto';
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

/** Checks one file: its bytes, and the schema of what it says. */
export async function checkFile(report: Report, whole: Whole, [path, entry]: Entry): Promise<void> {
  report.files++;
  const schema = documentSchemas.find(([pattern]) => pattern.test(path))?.[1];
  if (schema === undefined) return checkBlocks(report, whole, [path, entry]);
  const bytes = await whole.site.read(path, Infinity);
  const isSame = bytes !== null && bytes.length === entry.bytes && hash('sha256', bytes) === entry.sha256;
  const isUpdated = !isSame && bytes !== null && whole.isOnHost && updated.has(schema);
  if (!isSame && !isUpdated) return report.addDifference(path, bytes?.length ?? null, entry);
  report.documents++;
  if (isUpdated) report.updated++;
  report.add(path, report.schemaFaults(schemas[schema], parseJson(bytes.toString())));
}

/** The schemas of the lists that a host updates to the time of the request. */
const updated: ReadonlySet<SchemaName> = new Set(['Events', 'Next', 'Now']);

/** Checks a file that is no document block by block: its bytes and, if it has an event on each line, the lines. */
async function checkBlocks(report: Report, { site }: Whole, [path, entry]: Entry): Promise<void> {
  const content = await site.blocks(path);
  const checkLines = path.endsWith('.ndjson') ? lineChecker(report, path) : null;
  const sum = createHash('sha256');
  let bytes = 0;
  for await (const block of content ?? []) {
    bytes += block.length;
    sum.update(block);
    checkLines?.(block);
  }
  if (content === null || bytes !== entry.bytes || sum.digest('hex') !== entry.sha256)
    report.addDifference(path, content && bytes, entry);
}

const maxLine = 1024 ** 2;

/** Returns a function that checks the lines of a file with an event on each, and reports the first that is wrong. */
function lineChecker(report: Report, path: string): (block: Buffer) => void {
  report.documents++;
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  let isValid = true;
  return (block) => {
    if (!isValid) return;
    const lines = (rest + decoder.decode(block, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const text of rest.length > maxLine ? [...lines, rest] : lines) {
      line++;
      const faults = report.schemaFaults(entrySchema, parseJson(text), 'events');
      report.add(path, faults, line);
      isValid = faults.length === 0;
      if (!isValid) return;
    }
  };
}

/** The schemas of documents by the pattern of their paths, in which `{category}` and `{genre}` stand for ids. */
const documentSchemas = interfaceRows.flatMap(({ path, schema }) => {
  const pattern = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  return schema === null ? [] : [[new RegExp(`^${pattern}$`), schema] as const];
});
