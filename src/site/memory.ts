import { closeSync } from 'node:fs';
import type { ChangesDocument, IndexDocument } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { parseManifest } from '../api/manifest.ts';
import { changesPath, indexPath, manifestPath } from '../api/paths.ts';
import { hour, isoInstant } from '../catalogue/time/time.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { openEvents, type EventsFile } from './events-file.ts';
import { readChanges, readIndex } from './published.ts';
import { openSite, readDocument, type Site } from './site.ts';

/** The site that a build continues. */
export interface Previous {
  /** A folder or an address. */
  readonly at: string;
  /** Whether the user named it. It must then exist, and losing much of it is refused. */
  readonly isNamed: boolean;
}

/** The state of the previous site that a build compares with. */
export interface Memory {
  /** The folder or address of the site. */
  readonly site: string;
  /**
   * The version of almanac that built it, as manifests name it. Null if its manifest is damaged.
   */
  readonly generator: string | null;
  readonly isNamed: boolean;
  /** Null if it is damaged. */
  readonly index: IndexDocument | null;
  /** Null if there is none, or if it is damaged. */
  readonly log: ChangesDocument | null;
  /** Null if the site does not publish them, or if the site is damaged. */
  readonly events: EventsFile | null;
  /** The problem of one of its files. Nothing of a damaged site is compared. */
  readonly damage: Problem | null;
}

/**
 * The time of a build in milliseconds since the Unix epoch. One that the user gave may differ from
 * that of hosts.
 */
type Clock = Readonly<{ now: number; isGiven: boolean }>;

/**
 * Opens the memory of a site: its manifest, its index, its log and its events, whole or not at all.
 * Returns null if the site is missing and nobody named it. Throws `site-unreadable`, `unreachable`
 * and `previous-site-missing` if it is out of reach, and `clock-behind` or `clock-differs` if its
 * times contradict those of the clock.
 *
 * @param milliseconds the time within which everything has to be read
 */
export async function openMemory(
  previous: Previous,
  cwd: string,
  clock: Clock,
  milliseconds = 120_000,
): Promise<Memory | null> {
  const limit = new AbortController();
  const reason = `the previous site could not be read within ${milliseconds / 1000} seconds`;
  const timer = setTimeout(() => limit.abort(new Error(reason)), milliseconds);
  const site = openSite(previous.at, cwd, limit.signal);
  return readMemory(site, previous.isNamed, clock).finally(() => clearTimeout(timer));
}

/** Closes the file of the events, if it is open. */
export function closeMemory(memory: Memory | null): void {
  if (memory?.events) closeSync(memory.events.file);
}

async function readMemory(site: Site, isNamed: boolean, clock: Clock): Promise<Memory | null> {
  let damage: Problem | null = null;
  const unlessDamaged = async <T>(path: string, read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (error) {
      damage ??= damageIn(error, site.name, path);
      return null;
    }
  };
  const manifest = await unlessDamaged(manifestPath, async () =>
    readDocument(site, manifestPath, parseManifest),
  );
  const missing = new ProblemError([
    { code: 'previous-site-missing', place: null, site: site.name },
  ]);
  if (manifest === null && damage === null && isNamed) throw missing;
  if (manifest === null && damage === null) return null;
  const files = new Map(Object.entries(manifest?.files ?? {}));
  const readListed = async <T>(
    path: string,
    parse: (text: string) => T | null,
  ): Promise<T | null> =>
    // Without a manifest, the document itself must be valid.
    manifest === null || files.has(path)
      ? unlessDamaged(path, async () => readDocument(site, path, parse, files.get(path)))
      : null;
  const index = await readListed(indexPath, readIndex);
  const log = await readListed(changesPath, readChanges);
  checkClock(site, [index?.catalogue.last_sync, log?.since, log?.changes[0]?.at], clock);
  if (damage !== null && index === null && log === null && isNamed) throw missing;
  const path = formatPath(formats.ndjson, {});
  const entry = files.get(path);
  const isRead = entry !== undefined && damage === null;
  const events = isRead
    ? await unlessDamaged(path, async () => openEvents(site, path, entry))
    : null;
  return {
    site: site.name,
    generator: manifest?.generator ?? null,
    isNamed,
    index,
    log,
    events,
    damage,
  };
}

/**
 * Returns the damage of a file that could not be used. Throws the error if the file may be better
 * later.
 */
function damageIn(error: unknown, site: string, path: string): Problem {
  const [problem] = error instanceof ProblemError ? error.problems : [];
  const isTooLarge = problem?.code === 'unreachable' && problem.isTooLarge;
  const isUnreadable = problem?.code === 'site-unreadable' && problem.status === undefined;
  if (isTooLarge || isUnreadable) return damageProblem(site, path, problem.reason);
  throw error;
}

/** Returns the warning about a site that is damaged. */
export function damageProblem(site: string, path: string, reason: string): Problem {
  return { code: 'previous-site-damaged', place: null, path: `${site}/${path}`, reason };
}

/** Returns the warning about a whole site that another version of almanac built. */
export function otherVersion({ site, generator }: Memory, version: string): Problem[] {
  if (generator === null || generator === version) return [];
  return [{ code: 'previous-site-version', place: null, site, generator, version }];
}

/**
 * Throws the problem `clock-behind` if the site is of the future, and `clock-differs` if its host
 * has another time.
 */
function checkClock(
  site: Site,
  times: readonly (string | null | undefined)[],
  { now, isGiven }: Clock,
): void {
  const newest = Math.max(...times.map((time) => (time == null ? 0 : Date.parse(time))));
  const details = { place: null, now: isoInstant(now), site: site.name };
  // Clocks of different machines may differ by an hour.
  if (newest > now + hour)
    throw new ProblemError([{ code: 'clock-behind', ...details, time: isoInstant(newest) }]);
  const hostTime = site.hostTime();
  if (!isGiven && hostTime !== null && Math.abs(hostTime - now) > hour)
    throw new ProblemError([{ code: 'clock-differs', ...details, time: isoInstant(hostTime) }]);
}
