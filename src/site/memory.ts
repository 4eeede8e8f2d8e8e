import { closeSync } from 'node:fs';
import type { ChangesDocument, IndexDocument, ManifestEntry } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { parseManifest } from '../api/manifest.ts';
import { changesPath, indexPath, manifestPath } from '../api/paths.ts';
import { hour, isoInstant } from '../catalogue/time/time.ts';
import { ProblemError, type Problem, problemError } from '../problem/problem.ts';
import { withDeadline } from '../system/deadline.ts';
import { openEvents, type EventsFile } from './events-file.ts';
import { withoutFuture } from './log-times.ts';
import { readChanges, readIndex } from './published.ts';
import { openSite, otherContent, readDocument, unreadable, type Site } from './site.ts';
import { readVersion } from './version.ts';

/** The site that a build continues. */
export interface Previous {
  /** A folder or an address. */
  readonly at: string;
  /** Whether the user named it. It must then exist, and losing much of it is refused. */
  readonly isNamed: boolean;
}

/**
 * The state of the previous site that a build compares with. Plain data, so that threads can share
 * it.
 */
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
  /**
   * The problem of valid files that belong to different versions of the site. Its log is continued,
   * but no event is compared, because changes in the log could be found again.
   */
  readonly mixture: Problem | null;
  /** The problem of entries of the log that are left out. */
  readonly leftOut: Problem | null;
}

/**
 * The time of a build in milliseconds since the Unix epoch. One that the user gave may differ from
 * that of hosts.
 */
type Clock = Readonly<{ now: number; isGiven: boolean }>;

/**
 * Opens the memory of a site: its manifest, its index, its log and its events. Returns null if the
 * site is missing and nobody named it. Throws `site-unreadable`, `unreachable` and
 * `previous-site-missing` if it is out of reach, and `clock-behind` or `clock-differs` if its times
 * contradict those of the clock.
 *
 * @param milliseconds the time within which everything has to be read
 */
export async function openMemory(
  previous: Previous,
  cwd: string,
  clock: Clock,
  milliseconds?: number,
): Promise<Memory | null> {
  const read = async (signal: AbortSignal): Promise<Memory | null> => {
    const site = openSite(previous.at, cwd, signal);
    return new MemoryReader(site, previous.isNamed, clock).read();
  };
  return withDeadline('the previous site', read, milliseconds);
}

/** Closes the file of the events, if it is open. */
export function closeMemory(memory: Memory | null): void {
  if (memory?.events) closeSync(memory.events.file);
}

/** The maximum sizes of documents in bytes. A log has 1,000 entries. */
const maxBytes = {
  index: 1024 ** 2,
  log: 32 * 1024 ** 2,
};

class MemoryReader {
  readonly #site: Site;
  readonly #isNamed: boolean;
  readonly #clock: Clock;
  #damage: Problem | null = null;
  #mixture: Problem | null = null;

  constructor(site: Site, isNamed: boolean, clock: Clock) {
    this.#site = site;
    this.#isNamed = isNamed;
    this.#clock = clock;
  }

  async read(): Promise<Memory | null> {
    const { name: site } = this.#site;
    const { now } = this.#clock;
    // A cache may hold the manifest of an earlier version.
    const manifest = await this.#unlessDamaged(manifestPath, async () =>
      readDocument(this.#site, manifestPath, parseManifest, `${now}`),
    );
    if (manifest === null && this.#damage === null) {
      if (this.#isNamed) throw missingSite(site);
      return null;
    }
    const files = manifest === null ? null : new Map(Object.entries(manifest.files));
    const index = await this.#readListed(files, indexPath, readIndex, maxBytes.index);
    const published = await this.#readListed(files, changesPath, readChanges, maxBytes.log);
    const hasNothing = index === null && published === null;
    if (this.#damage !== null && hasNothing && this.#isNamed)
      throw manifest === null ? missingSite(site) : outOfReach(this.#damage);
    checkClock(this.#site, index?.catalogue.last_sync, this.#clock);
    const { log, leftOut } = withoutFuture(published, site, now);
    const events = this.#damage === null ? await this.#readEvents(files) : null;
    return {
      site,
      generator: manifest?.generator ?? null,
      isNamed: this.#isNamed,
      index,
      log,
      events,
      damage: this.#damage,
      mixture: this.#mixture,
      leftOut,
    };
  }

  /** @param files the files of the manifest; null if it is damaged */
  async #readListed<T>(
    files: ReadonlyMap<string, ManifestEntry> | null,
    path: string,
    parse: (text: string) => T | null,
    limit: number,
  ): Promise<T | null> {
    // Without a manifest, the document itself must be valid.
    if (files === null)
      return this.#unlessDamaged(path, async () => readDocument(this.#site, path, parse));
    const listed = files.get(path);
    if (listed === undefined) return null;
    return this.#unlessDamaged(path, async () => {
      const { bytes, isListed } = await readVersion(this.#site, path, {
        listed,
        limit,
        now: this.#clock.now,
      });
      const document = parse(bytes.toString());
      if (document === null) {
        const reason = isListed
          ? 'it is not a document of version 1 of the interface'
          : otherContent;
        throw unreadable(`${this.#site.name}/${path}`, reason);
      }
      if (!isListed) this.#mix(path);
      return document;
    });
  }

  async #readEvents(files: ReadonlyMap<string, ManifestEntry> | null): Promise<EventsFile | null> {
    const path = formatPath(formats.ndjson, {});
    const listed = files?.get(path);
    if (listed === undefined) return null;
    const events = await this.#unlessDamaged(path, async () =>
      openEvents(this.#site, path, listed, this.#clock.now),
    );
    if (events?.isListed === false) this.#mix(path);
    return events;
  }

  #mix(path: string): void {
    this.#mixture ??= {
      code: 'previous-site-mixed',
      place: null,
      site: this.#site.name,
      path,
    };
  }

  async #unlessDamaged<T>(path: string, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      this.#damage ??= damageIn(error, this.#site.name, path);
      return null;
    }
  }
}

function missingSite(site: string): ProblemError {
  return problemError({ code: 'previous-site-missing', site });
}

/** Returns the problem of a host that has a manifest, but neither an index nor a log. */
function outOfReach(damage: Problem): ProblemError {
  const { path, reason } =
    damage.code === 'previous-site-damaged' ? damage : { path: '', reason: '' };
  return unreadable(path, reason, 200);
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
  return {
    code: 'previous-site-damaged',
    place: null,
    path: `${site}/${path}`,
    reason,
  };
}

/** Returns the warning about a whole site that another version of almanac built. */
export function otherVersion({ site, generator }: Memory, version: string): Problem[] {
  if (generator === null || generator === version) return [];
  return [
    {
      code: 'previous-site-version',
      place: null,
      site,
      generator,
      version,
    },
  ];
}

/**
 * Throws the problem `clock-behind` if the site is of the future, and `clock-differs` if its host
 * has another time.
 */
function checkClock(site: Site, lastSync: string | undefined, { now, isGiven }: Clock): void {
  const details = { now: isoInstant(now), site: site.name };
  // Clocks of different machines may differ by an hour.
  if (lastSync !== undefined && Date.parse(lastSync) > now + hour)
    throw problemError({ code: 'clock-behind', ...details, time: lastSync });
  const host = site.hostTime();
  if (isGiven || host === null) return;
  const isAhead = host.from > now + hour;
  const isBehind = host.until < now - hour;
  if (!isAhead && !isBehind) return;
  const time = isoInstant(isAhead ? host.from : host.until);
  throw problemError({ code: 'clock-differs', ...details, time });
}
