import { hash, randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { listTree, readRegular, removeTree } from '../system/files.ts';
import { processMark, removeLeftovers } from '../system/leftovers.ts';
import { draftPattern, writeWhole } from '../system/write.ts';
import { isSitePath } from '../catalogue/url.ts';
import { isManifest } from '../api/manifest.ts';
import { readContent, writeContent, type PartContent } from './part-content.ts';

/*
 * What a store holds:
 *   sources-{hash}                what the first part has found out about the sources
 *   part-3-of-16.json             names the run that is the part; written last
 *   part-3-of-16.{process}-{id}/  a run: its files of the site in site/, and all else that is known in two other files
 * Each run has a folder of its own. So a part is whole or absent if it is killed, repeated, or built twice at once.
 */

/** A folder that all machines of a build share. */
export interface PartStore {
  readonly folder: string;
  /** Its name for the user. */
  readonly name: string;
}

/** One part of a build. It counts from 1. */
export interface PartNumber {
  readonly number: number;
  readonly of: number;
}

/** A part as the file of its name describes it. Apart from the last three fields, the parts of a build have the same. */
export interface StoredPart {
  /** The version of almanac, and those of the time zones and languages that Node.js knows. */
  readonly generator: string;
  readonly zones: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Hashes. */
  readonly options: string;
  readonly sources: string;
  readonly part: PartNumber;
  /** The name of the folder of its run. */
  readonly run: string;
  /** The hashes of its content and its events. */
  readonly sha256: readonly string[];
}

/** Every part is listed in a problem about missing ones. */
export const maxParts = 10_000;

const partPattern = /^part-(\d+)-of-(\d+)\.json$/;
const texts = ['content.ndjson', 'events.ndjson'] as const;

/** Somewhat less than the longest text of Node.js. */
const maxTextBytes = 500 * 1024 ** 2;

const maxPartBytes = 64 * 1024;

/** Returns the folder with the files of a run. */
export function filesOf({ folder }: PartStore, run: string): string {
  return join(folder, run, 'site');
}

/** Creates the folder of a run. Returns its name. */
export function beginRun(store: PartStore, part: PartNumber): string {
  const run = `${stemOf(part)}.${processMark()}-${randomUUID()}`;
  mkdirSync(filesOf(store, run), { recursive: true });
  return run;
}

/** Stores a part, whose files are in the folder of its run. Removes what ended runs of the same part left. */
export function storePart(store: PartStore, part: Omit<StoredPart, 'sha256'>, known: PartContent): void {
  const { content, events } = writeContent(known);
  const sha256 = [content, events].map((text, index) => {
    const bytes = Buffer.from(text);
    writeWhole(join(store.folder, part.run, texts[index] ?? ''), bytes);
    return hash('sha256', bytes);
  });
  const [stem, name] = [stemOf(part.part), nameOf(part)];
  const path = join(store.folder, name);
  writeWhole(path, `${JSON.stringify({ ...part, sha256 })}\n`);
  removeLeftovers(store.folder, draftPattern, path);
  // Another run may have stored the part in the meantime.
  const { run } = readPart(store, name);
  removeLeftovers(store.folder, new RegExp(`^(?!${run}$)${stem}\\.(\\d+)-([\\da-f]{8})-`), path);
}

/**
 * Returns the hash of the content of sources. The first part of a build computes it for all that find every source with
 * the same path, size and time of its last change.
 *
 * @param stamp a hash of these
 */
export function rememberHash(store: PartStore, stamp: string, compute: () => string): string {
  const name = `sources-${stamp}`;
  const known = readIn(store, name, stamp.length)?.toString();
  if (known?.length === stamp.length) return known;
  const found = compute();
  writeWhole(join(store.folder, name), found);
  return found;
}

/** Removes the parts of a build that was joined, and what other runs left. */
export function removeParts({ folder }: PartStore): void {
  for (const name of readdirSync(folder))
    if (/^(part-\d+-of-\d+\.|sources-[\da-f]{64}$)/.test(name)) removeTree(join(folder, name));
}

/** Returns the parts in a store. Throws the problems `parts-missing`, `part-damaged` and `part-differs`. */
export function listParts(
  store: PartStore,
  { now, ...builder }: Pick<StoredPart, 'generator' | 'zones'> & { readonly now: number | null },
): readonly StoredPart[] {
  const names = existsSync(store.folder) ? readdirSync(store.folder).filter((one) => partPattern.test(one)) : [];
  const parts = names.toSorted(byNumber).map((name) => readPart(store, name));
  const [first] = parts;
  const problems = first
    ? parts.flatMap((part) => differencesOf(part, { ...first, ...builder, now: now ?? first.now }))
    : [];
  const of = first?.part.of ?? null;
  const stored = new Set(parts.filter(({ part }) => part.of === of).map(({ part }) => part.number));
  const missing = Array.from({ length: of ?? 0 }, (_, index) => index + 1).filter((number) => !stored.has(number));
  if (of === null || missing.length > 0)
    problems.push({ code: 'parts-missing', place: null, store: store.name, missing, of });
  if (problems.length > 0) throw new ProblemError(problems);
  return parts;
}

/** Returns what a part was stored with. Throws the problem `part-damaged` if that was changed, or the files are others. */
export function readPartContent(store: PartStore, part: StoredPart): PartContent {
  const fail = (reason: string): never => {
    throw damaged(store, nameOf(part), reason);
  };
  const [content, events] = texts.map((name, index) => {
    const bytes = readIn(store, `${part.run}/${name}`, maxTextBytes);
    const isWhole = bytes !== null && hash('sha256', bytes) === part.sha256[index];
    return isWhole ? bytes : fail(`its ${name} is missing, or was changed`);
  }) as [Buffer, Buffer];
  const read = readContent(content, events);
  if (!isManifest({ generator: part.generator, files: read.files })) fail('its files are not those of a site');
  const { catalogue, result } = read;
  const ids = [...catalogue.categories, ...result.summaries.genres].map(({ id }) => id);
  const outside = [...ids, ...result.pages.byMonth.keys()].find((id) => !isSitePath(id) || id.includes('/'));
  if (outside !== undefined) fail(`found the id ${JSON.stringify(outside)}`);
  const folder = filesOf(store, part.run);
  const found = listTree(folder);
  const other = found.find(
    ({ path, kind }) => kind !== 'file' || read.files[path]?.bytes !== lstatSync(`${folder}/${path}`).size,
  );
  if (other !== undefined) fail(`its file ${other.path} is not the one that was stored`);
  if (found.length < Object.keys(read.files).length) fail('some of its files are missing');
  return read;
}

/** Reads the file of a part. Throws the problem `part-damaged` if it is not one. */
function readPart(store: PartStore, name: string): StoredPart {
  try {
    const part: unknown = JSON.parse(readIn(store, name, maxPartBytes)?.toString() ?? '');
    if (isPart(part) && nameOf(part) === name) return part;
  } catch {
    // Like any other text that is not a part.
  }
  throw damaged(store, name, 'it is not a part of a build');
}

function isPart(value: unknown): value is StoredPart {
  const { generator, zones, now, options, sources, part, run, sha256 } = (value ?? {}) as Partial<StoredPart>;
  const areTexts = [generator, zones, options, sources, run].every((text) => typeof text === 'string');
  const isDated = Number.isSafeInteger(now) && !Number.isNaN(new Date(now ?? NaN).getTime());
  const [least = 0, most = 0] = [part?.number, part?.of].map(Number);
  return (
    areTexts &&
    isDated &&
    Array.isArray(sha256) &&
    least >= 1 &&
    least <= most &&
    most <= maxParts &&
    isRunOf(part, run)
  );
}

function isRunOf(part: PartNumber | undefined, run: string | undefined): boolean {
  return part !== undefined && run?.startsWith(`${stemOf(part)}.`) === true && /^[\w.-]+$/.test(run);
}

function stemOf({ number, of }: PartNumber): string {
  return `part-${number}-of-${of}`;
}

/** Returns the name of the file that names the run of a part. */
export function nameOf({ part }: Pick<StoredPart, 'part'>): string {
  return `${stemOf(part)}.json`;
}

function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** Reads a regular file of a store. Returns null if there is none, or if it is larger. */
function readIn({ folder }: PartStore, path: string, most: number): Buffer | null {
  try {
    return readRegular(join(folder, path), most);
  } catch {
    return null;
  }
}

/** Returns why a part does not belong to a build. Differences that follow from another one are left out. */
function differencesOf(part: StoredPart, expected: StoredPart): Problem[] {
  const name = nameOf(part);
  const compare = (...values: readonly (readonly [what: string, found: string, expected: string])[]): Problem[] =>
    values
      .filter(([, found, other]) => found !== other)
      .map(([what, found, other]) => ({ code: 'part-differs', place: null, part: name, what, found, expected: other }));
  const timeOf = ({ now }: StoredPart): string => new Date(now).toISOString();
  const steps = [
    compare(['version of almanac', part.generator, expected.generator]),
    compare(['time zones and languages of', part.zones, expected.zones]),
    compare(['number of parts', `${part.part.of}`, `${expected.part.of}`], ['--now', timeOf(part), timeOf(expected)]),
    compare(['options', part.options, expected.options], ['sources', part.sources, expected.sources]),
  ];
  return steps.find((problems) => problems.length > 0) ?? [];
}

/** Returns the problem `part-damaged`. */
export function damaged(store: PartStore, part: string, reason: string): ProblemError {
  return new ProblemError([{ code: 'part-damaged', place: null, store: store.name, part, reason }]);
}
