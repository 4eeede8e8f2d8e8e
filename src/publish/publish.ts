import { hash } from 'node:crypto';
import type { Manifest } from '../api/documents.ts';
import { parseManifest } from '../api/manifest.ts';
import { manifestPath } from '../api/paths.ts';
import { ProblemError } from '../problem/problem.ts';
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
import type { Bucket, Condition, StoredFile } from './s3.ts';
import { assertSameOwner, readOwner } from '../site/owner.ts';
import { unreadable, type Site } from '../site/site.ts';

/** What to publish, and where to. */
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

/** The actions of a run, or those that a dry run would take. Paths are in the order of the actions. */
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
 * Makes a bucket contain exactly the site. It uploads documents first, then the lists that name them, then the
 * manifest, and deletes objects last. So every document that a list names exists at any time, and the next run
 * completes one that was interrupted.
 *
 * The manifest is replaced only if it has not changed since the start. So one of two concurrent publishers stops with
 * the problem `publisher-overtaken` and deletes nothing. Throws the problem `objects-not-ours` instead of replacing an
 * object that almanac did not store.
 */
export async function publishSite(options: PublishOptions): Promise<PublishReport> {
  const { site, bucket, target, dryRun } = options;
  const local = await readLocal(site);
  const storedManifest = await bucket.read(manifestPath);
  const remote = remoteOf(storedManifest, local.manifest, target);
  if (storedManifest !== null) await requireSameOwner(options);
  const plan = planPublish(local.files, { ...remote, objects: await bucket.list() });
  const unlisted = plan.replaced.filter((path) => !isListed(path, remote));
  if (!options.adopt) await requireOurs(options, unlisted);
  const run = new Run(options, local, plan);
  for (const step of plan.uploads) await run.upload(step);
  const isNew = storedManifest === null || !storedManifest.body.equals(local.manifestBytes);
  if (isNew) await run.uploadManifest({ etag: storedManifest?.etag ?? null });
  if (dryRun) await run.remove(plan.strays, remote);
  else await tidy(options, local, remote, run);
  return run.report();
}

/** Throws the problem `site-of-another` if the bucket has the site of another catalogue. */
async function requireSameOwner({ site, bucket, target }: PublishOptions): Promise<void> {
  const stored = { name: target, read: async (path: string) => (await bucket.read(path))?.body ?? null };
  assertSameOwner(await readOwner(stored), await readOwner(site), target);
}

/** Throws the problem `objects-not-ours` unless almanac stored all these objects under their keys. */
async function requireOurs({ bucket, target }: PublishOptions, paths: readonly string[]): Promise<void> {
  const owners = await inParallel(paths, concurrency, async (path) => bucket.ownerOf(path));
  const unknown = paths.filter((_, index) => owners[index] !== 'ours').toSorted();
  if (unknown.length > 0) throw new ProblemError([{ code: 'objects-not-ours', place: null, target, paths: unknown }]);
}

/**
 * Restores objects that another publisher overwrote and deletes leftovers, until a listing shows that nothing is left
 * to do. The manifest is read after the listing: if it is still this site's, no other publisher had finished by then.
 */
async function tidy(
  { bucket, target }: PublishOptions,
  { files, manifest, manifestBytes }: LocalSite,
  remote: Omit<Remote, 'objects'>,
  run: Run,
): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const objects = await bucket.list();
    const stored = await bucket.read(manifestPath);
    if (stored?.body.equals(manifestBytes) !== true) throw overtaken(target);
    const isEtagMd5 = stored.etag === hash('md5', manifestBytes);
    const known = { ...remote.files, ...manifest.files };
    const plan = planPublish(files, { objects, files: known, isSameGenerator: true, isEtagMd5 });
    const uploads = plan.uploads.map((step) => step.filter((path) => isEtagMd5 || !objects.has(path)));
    for (const step of uploads) await run.upload(step);
    const isTidy = await run.remove(plan.strays, remote);
    if (uploads.flat().length === 0 && isTidy) return;
  }
  throw bucket.refused('PUT', 'it does not keep what it accepts');
}

function overtaken(target: string): ProblemError {
  return new ProblemError([{ code: 'publisher-overtaken', place: null, target }]);
}

function remoteOf(storedManifest: StoredFile | null, { generator }: Manifest, target: string): Omit<Remote, 'objects'> {
  if (storedManifest === null) return { files: null, isSameGenerator: true, isEtagMd5: false };
  const manifest = parseManifest(storedManifest.body.toString());
  if (manifest === null) {
    const reason = 'it is not the manifest of a site that almanac built; choose another prefix';
    throw unreadable(`${target}/${manifestPath}`, reason);
  }
  const isSameGenerator = manifest.generator === generator;
  return {
    files: manifest.files,
    isSameGenerator,
    isEtagMd5: storedManifest.etag === hash('md5', storedManifest.body),
  };
}

/** Carries out the steps of a publication and records them. A dry run only records them. */
class Run {
  readonly #options: PublishOptions;
  readonly #local: LocalSite;
  readonly #plan: PublishPlan;
  readonly #uploaded = new Set<string>();
  readonly #deleted = new Set<string>();
  /** Objects that almanac did not store. */
  readonly #kept = new Set<string>();
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

  async uploadManifest(condition: Condition): Promise<void> {
    const { bucket, dryRun, target } = this.#options;
    const bytes = this.#local.manifestBytes;
    const isStored = dryRun || (await bucket.putIf(condition, manifestPath, bytes, headersOf(manifestPath)));
    // If the response to a successful write is lost, the condition of the retry fails, because the first write changed
    // it.
    const isOurs = isStored || (await bucket.read(manifestPath))?.body.equals(bytes) === true;
    if (!isOurs) throw overtaken(target);
    this.#record(manifestPath, bytes);
  }

  /**
   * Deletes objects that almanac stored. An object that the manifest does not list, as after an interrupted
   * publication, must have been stored under its present key. Returns whether there was nothing to delete.
   */
  async remove(paths: readonly string[], remote: Pick<Remote, 'files'>): Promise<boolean> {
    const { bucket, dryRun } = this.#options;
    let isTidy = true;
    const candidates = paths.filter((path) => !this.#kept.has(path));
    await inParallel(candidates, concurrency, async (path) => {
      const owner = await bucket.ownerOf(path);
      const isOurs = owner === 'ours' || (owner === 'almanac' && isListed(path, remote));
      if (isOurs && !dryRun) await bucket.remove(path);
      if (isOurs) this.#deleted.add(path);
      if (owner !== null && !isOurs) this.#kept.add(path);
      else isTidy = false;
    });
    return isTidy;
  }

  report(): PublishReport {
    const unchanged = [...this.#local.files.keys()].filter((path) => !this.#uploaded.has(path)).length;
    return {
      uploaded: [...this.#uploaded],
      replaced: this.#plan.replaced,
      deleted: [...this.#deleted],
      unchanged,
      bytes: this.#bytes,
    };
  }

  #record(path: string, bytes: Buffer): void {
    this.#uploaded.add(path);
    this.#bytes += bytes.length;
    const expected = this.#plan.uploads.flat().length + 1;
    this.#options.onStep?.(this.#uploaded.size, Math.max(expected, this.#uploaded.size));
  }
}
