import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManifestEntry } from '../api/documents.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import type { Builder, BuildIdentity, Part, PartContent, PartNumber, PartStore, StoredPart } from './part-store.ts';

/*
 * What a store holds:
 *   part-3-of-16.json   a part, written after its packs
 *   packs/{sha256}      its files, one after the other, about 32 MiB in each pack
 * A pack has the hash of its content as its name, so a part that is stored twice, or by two machines at once, is intact.
 */

const bytesPerPack = 32 * 1024 ** 2;

/** Somewhat less than the longest text of Node.js. */
const maxPartBytes = 500 * 1024 ** 2;

/** Stores a part whose files are in a folder. */
export async function storePart(
  store: PartStore,
  part: Omit<Part, 'files' | 'packs' | 'sha256'>,
  folder: string,
  entries: ReadonlyMap<string, ManifestEntry>,
): Promise<void> {
  const packs: string[] = [];
  let [files, size]: [Buffer[], number] = [[], 0];
  const pack = async (): Promise<void> => {
    const bytes = Buffer.concat(files);
    packs.push(hash('sha256', bytes));
    await store.write(packPath(packs.at(-1) ?? ''), bytes);
    [files, size] = [[], 0];
  };
  for (const path of entries.keys()) {
    const bytes = readFileSync(join(folder, path));
    files.push(bytes);
    size += bytes.length;
    if (size >= bytesPerPack) await pack();
  }
  if (files.length > 0) await pack();
  const whole = { ...part, files: Object.fromEntries(entries), packs };
  const sealed: Part = { ...whole, sha256: hashOf(whole) };
  await store.write(partName(part.part), Buffer.from(`${JSON.stringify(sealed, mapsToLists)}\n`));
}

/** Returns the hash of everything in a part, apart from that hash. */
function hashOf(part: Omit<Part, 'sha256'>): string {
  return hash('sha256', JSON.stringify({ ...part, sha256: undefined }, mapsToLists));
}

/**
 * Reads what a store holds, without the files. Throws the problems `parts-missing`, `part-damaged` and `part-differs`
 * unless there are all parts of one build.
 *
 * @param builder what built the parts, and the time that they have; null for any
 * @param add adds the content that a part was stored with to the sum of those before it
 */
export async function readParts<Sum>(
  store: PartStore,
  { now, ...builder }: Builder & { readonly now: number | null },
  add: (sum: Sum | null, content: PartContent) => Sum,
): Promise<{ readonly parts: readonly StoredPart[]; readonly sum: Sum }> {
  const { PartCheck } = await import('./part-schema.ts');
  const check = new PartCheck();
  const parts: StoredPart[] = [];
  const problems: Problem[] = [];
  let sum: Sum | null = null;
  // One after the other, because their contents would fill the memory.
  for (const name of (await store.list()).filter((one) => partPattern.test(one)).toSorted(byNumber)) {
    const whole = await readPart(store, name);
    const { content, ...part } = whole;
    const first = parts[0] ?? part;
    const differences = differencesOf(part, { ...first, ...builder, now: now ?? first.now }, name);
    problems.push(...differences);
    if (differences.length === 0) {
      const fault = hashOf(whole) === whole.sha256 ? check.faultOf(whole) : 'it was changed';
      if (fault !== null) throw damaged(store, name, fault);
      sum = add(sum, content);
    }
    parts.push(part);
  }
  const of = parts[0]?.part.of ?? null;
  const stored = new Set(parts.filter(({ part }) => part.of === of).map(({ part }) => part.number));
  const missing = Array.from({ length: of ?? 0 }, (_, index) => index + 1).filter((number) => !stored.has(number));
  if (of === null || missing.length > 0)
    problems.push({ code: 'parts-missing', place: null, store: store.name, missing, of });
  if (sum === null || problems.length > 0) throw new ProblemError(problems);
  return { parts, sum };
}

/** Reads the files of a part, one pack at a time. */
export async function* readFiles(
  store: PartStore,
  { part, files, packs }: StoredPart,
): AsyncGenerator<{ readonly path: string; readonly bytes: Buffer }> {
  const size = Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
  const rest = Object.entries(files).values();
  let next = rest.next();
  for (const name of packs) {
    const pack = await store.read(packPath(name), size);
    if (pack === null || hash('sha256', pack) !== name) {
      const reason = pack === null ? `missing, or not a file of at most ${size} bytes` : 'not what was stored';
      throw damaged(store, partName(part), `its pack ${name} is ${reason}`);
    }
    let start = 0;
    while (next.done !== true && (start < pack.length || next.value[1].bytes === 0)) {
      const [path, { bytes }] = next.value;
      if (bytes > pack.length - start) break;
      yield { path, bytes: pack.subarray(start, (start += bytes)) };
      next = rest.next();
    }
    if (start < pack.length) throw damaged(store, partName(part), `its pack ${name} does not hold its files`);
  }
  if (next.done !== true) throw damaged(store, partName(part), `no pack has its file ${next.value[0]}`);
}

const partPattern = /^part-(\d+)-of-(\d+)\.json$/;

function partName({ number, of }: PartNumber): string {
  return `part-${number}-of-${of}.json`;
}

function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function packPath(sha256: string): string {
  return `packs/${sha256}`;
}

async function readPart(store: PartStore, name: string): Promise<Part> {
  const { isPart } = await import('./part-schema.ts');
  const text = (await store.read(name, maxPartBytes))?.toString() ?? '';
  try {
    const part: unknown = JSON.parse(text, listsToMaps);
    if (isPart(part) && partName(part.part) === name) return part;
  } catch {
    // Like any other text that is not a part.
  }
  throw damaged(store, name, 'it is not a part of a build');
}

/** Returns why a part does not belong to a build. Differences that follow from another one are left out. */
function differencesOf(part: StoredPart, expected: StoredPart, name: string): Problem[] {
  const compare = (...values: readonly (readonly [what: string, found: string, expected: string])[]): Problem[] =>
    values
      .filter(([, found, other]) => found !== other)
      .map(([what, found, other]) => ({ code: 'part-differs', place: null, part: name, what, found, expected: other }));
  const timeOf = ({ now }: BuildIdentity): string => new Date(now).toISOString();
  const steps = [
    compare(['version of almanac', part.generator, expected.generator]),
    compare(['time zones and languages of', part.zones, expected.zones]),
    compare(['number of parts', `${part.part.of}`, `${expected.part.of}`], ['--now', timeOf(part), timeOf(expected)]),
    compare(['options', part.options, expected.options], ['sources', part.sources, expected.sources]),
  ];
  return steps.find((problems) => problems.length > 0) ?? [];
}

function damaged(store: PartStore, name: string, reason: string): ProblemError {
  return new ProblemError([{ code: 'part-damaged', place: null, store: store.name, part: name, reason }]);
}

const mapKey = 'entries of a map';

/** JSON has no maps. */
function mapsToLists(_key: string, value: unknown): unknown {
  return value instanceof Map ? { [mapKey]: [...(value as Map<unknown, unknown>)] } : value;
}

function listsToMaps(_key: string, value: unknown): unknown {
  const isMap = typeof value === 'object' && value !== null && mapKey in value;
  return isMap ? new Map(value[mapKey] as [unknown, unknown][]) : value;
}
