import { hash } from 'node:crypto';
import type { Manifest } from '../api/documents.ts';
import { parseManifest } from '../api/manifest.ts';
import { manifestPath } from '../api/paths.ts';
import { ProblemError, problemError } from '../problem/problem.ts';
import { withDeadline } from '../system/deadline.ts';
import { inParallel } from '../system/parallel.ts';
import {
  headersOf,
  isListed,
  type LocalSite,
  planPublish,
  type PublishPlan,
  readFile,
  readLocal,
  type Remote,
} from './publish-plan.ts';
import type { Bucket, StoredFile } from './s3.ts';
import { assertSameOwner, readOwner } from '../site/owner.ts';
import { unreadable, type Site } from '../site/site.ts';

/** A site to publish, and its target. */
export interface PublishOptions {
  readonly site: Site;
  readonly bucket: Bucket;
  /** The bucket and the prefix as the user wrote them. */
  readonly target: string;
  readonly dryRun: boolean;
  /** Whether to replace objects that almanac did not store. */
  readonly adopt: boolean;
  readonly onStep?: (done: number, of: number) => void;
}

/**
 * The actions of a run, or of a dry run, which takes none. Paths are in the order of the actions.
 */
export interface PublishReport {
  readonly uploaded: readonly string[];
  /** The uploads that replaced an object. */
  readonly replaced: readonly string[];
  readonly deleted: readonly string[];
  readonly unchanged: number;
  readonly bytes: number;
}

const concurrency = 16;

/**
 * Makes a bucket contain exactly the site. It uploads documents first, then the lists that name
 * them, then the manifest, and deletes objects last. So every document that a list names exists at
 * any time, and the next run completes one that was interrupted.
 *
 * The manifest is replaced only if it has not changed since the start. So one of two concurrent
 * publishers stops with the problem `publisher-overtaken` and deletes nothing. Throws the problem
 * `objects-not-ours` instead of replacing an object that almanac did not store.
 */
export async function publishSite(options: PublishOptions): Promise<PublishReport> {
  const local = await readLocal(options.site);
  const { storedManifest, remote, objects } = await withDeadline('the bucket', async (signal) =>
    readRemote(options, local, signal),
  );
  const plan = planPublish(local.files, { ...remote, objects });
  const unlisted = plan.replaced.filter((path) => !isListed(path, remote));
  if (!options.adopt) await requireOurs(options, unlisted);
  const run = new Run(options, local, plan);
  for (const step of plan.uploads) await run.upload(step);
  const isNew = storedManifest === null || !storedManifest.body.equals(local.manifestBytes);
  if (isNew) await run.uploadManifest(storedManifest?.etag ?? null);
  await run.remove(plan.strays);
  return run.report();
}

/** Reads what the bucket has. Throws the problem `site-of-another`. */
async function readRemote(options: PublishOptions, { manifest }: LocalSite, signal: AbortSignal) {
  const { bucket, target } = options;
  const storedManifest = await bucket.read(manifestPath, signal);
  const remote = remoteOf(storedManifest, manifest, target);
  if (storedManifest !== null) await requireSameOwner(options, signal);
  return {
    storedManifest,
    remote,
    objects: await bucket.list(signal),
  };
}

/** Throws the problem `site-of-another` if the bucket has the site of another catalogue. */
async function requireSameOwner(
  { site, bucket, target }: PublishOptions,
  signal: AbortSignal,
): Promise<void> {
  const stored = {
    name: target,
    read: async (path: string) => (await bucket.read(path, signal))?.body ?? null,
  };
  assertSameOwner(await readOwner(stored), await readOwner(site), target);
}

/**
 * Throws the problem `objects-not-ours` unless almanac stored all these objects under their keys.
 */
async function requireOurs(
  { bucket, target }: PublishOptions,
  paths: readonly string[],
): Promise<void> {
  const areOurs = await inParallel(paths, concurrency, async (path) => bucket.isOurs(path));
  const unknown = paths.filter((_, index) => !areOurs[index]).toSorted();
  if (unknown.length > 0)
    throw problemError({
      code: 'objects-not-ours',
      target,
      paths: unknown,
    });
}

function overtaken(target: string): ProblemError {
  return problemError({ code: 'publisher-overtaken', target });
}

function remoteOf(
  storedManifest: StoredFile | null,
  { generator }: Manifest,
  target: string,
): Omit<Remote, 'objects'> {
  if (storedManifest === null)
    return {
      files: null,
      isSameGenerator: true,
      isEtagMd5: false,
    };
  const manifest = parseManifest(storedManifest.body.toString());
  if (manifest === null) {
    const reason = 'it is not the manifest of a site that almanac built; choose another prefix';
    throw unreadable(`${target}/${manifestPath}`, reason);
  }
  const isEtagMd5 = storedManifest.etag === hash('md5', storedManifest.body);
  return {
    files: manifest.files,
    isSameGenerator: manifest.generator === generator,
    isEtagMd5,
  };
}

/** Carries out the steps of a publication and records them. A dry run only records them. */
class Run {
  readonly #options: PublishOptions;
  readonly #local: LocalSite;
  readonly #plan: PublishPlan;
  readonly #uploaded = new Set<string>();
  readonly #deleted = new Set<string>();
  #bytes = 0;

  constructor(options: PublishOptions, local: LocalSite, plan: PublishPlan) {
    this.#options = options;
    this.#local = local;
    this.#plan = plan;
  }

  async upload(paths: readonly string[]): Promise<void> {
    const { site, bucket, dryRun } = this.#options;
    await inParallel(paths, concurrency, async (path) => {
      const bytes = await readFile(site, path, this.#local.manifest);
      if (!dryRun) await bucket.put(path, bytes, headersOf(path));
      this.#record(path, bytes);
    });
  }

  /** @param etag the ETag of the manifest to replace; null if there is none */
  async uploadManifest(etag: string | null): Promise<void> {
    const { bucket, dryRun, target } = this.#options;
    const bytes = this.#local.manifestBytes;
    const isStored =
      dryRun || (await bucket.putIf(etag, manifestPath, bytes, headersOf(manifestPath)));
    // If the response to a successful write is lost, the retry fails, because the first write
    // changed the ETag.
    if (!isStored && !(await this.#hasManifest())) throw overtaken(target);
    this.#record(manifestPath, bytes);
  }

  async #hasManifest(): Promise<boolean> {
    const stored = await this.#options.bucket.read(manifestPath);
    return stored?.body.equals(this.#local.manifestBytes) === true;
  }

  /** Deletes objects, but only those that almanac itself stored. */
  async remove(paths: readonly string[]): Promise<void> {
    const { bucket, dryRun, target } = this.#options;
    // Another publisher may have finished in the meantime, and then they may be its objects.
    if (!dryRun && paths.length > 0 && !(await this.#hasManifest())) throw overtaken(target);
    await inParallel(paths, concurrency, async (path) => {
      if (!(await bucket.isOurs(path))) return;
      if (!dryRun) await bucket.remove(path);
      this.#deleted.add(path);
    });
  }

  report(): PublishReport {
    const unchanged = [...this.#local.files.keys()].filter(
      (path) => !this.#uploaded.has(path),
    ).length;
    const uploaded = [...this.#uploaded];
    const deleted = [...this.#deleted];
    return {
      uploaded,
      replaced: this.#plan.replaced,
      deleted,
      unchanged,
      bytes: this.#bytes,
    };
  }

  #record(path: string, bytes: Buffer): void {
    this.#uploaded.add(path);
    this.#bytes += bytes.length;
    this.#options.onStep?.(this.#uploaded.size, this.#plan.uploads.flat().length + 1);
  }
}
