import { hash } from 'node:crypto';
import type { Manifest } from '../api/documents.ts';
import { parseManifest } from '../api/manifest.ts';
import { manifestPath } from '../api/paths.ts';
import { ProblemError } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { headersOf, planPublish, type LocalFile, type Remote } from './publish-plan.ts';
import type { Bucket, Condition, StoredFile } from './s3.ts';
import { readManifest, unreadable, type Site } from './site.ts';

export interface PublishOptions {
  readonly site: Site;
  readonly bucket: Bucket;
  /** The bucket and the prefix as the user wrote them. */
  readonly target: string;
  readonly dryRun: boolean;
  readonly onStep?: (done: number, of: number) => void;
}

/** What was done, or would be done after a dry run. Paths are in the order in which it happened. */
export interface PublishReport {
  readonly uploaded: readonly string[];
  readonly deleted: readonly string[];
  readonly unchanged: number;
  readonly bytes: number;
}

/** The number of requests at a time. */
const concurrency = 16;

/**
 * Makes a bucket hold exactly the site. Documents come first, then the lists that name them, then the manifest, then
 * deletions. So every document that a list names is there at any time, and a run that is cut off is finished by the next.
 *
 * The manifest is only replaced while it is the one that was found. Of two publishers at once, one therefore stops with
 * the problem `publisher-overtaken`, and it deletes nothing.
 */
export async function publishSite(options: PublishOptions): Promise<PublishReport> {
  const { site, bucket, target, dryRun } = options;
  const local = await readLocal(site);
  const found = await bucket.read(manifestPath);
  const remote = remoteOf(found, local.manifest, target);
  const plan = planPublish(local.files, { ...remote, objects: await bucket.list() });
  const run = new Run(options, local, plan.uploads.flat().length + 1);
  for (const step of plan.uploads) await run.upload(step);
  const isNew = found === null || !found.body.equals(local.manifestBytes);
  if (isNew) await run.uploadManifest({ etag: found?.etag ?? null });
  if (dryRun) await run.remove(plan.strays, remote.files);
  else await tidy(options, local, remote, run);
  return run.report();
}

/**
 * Restores what another publisher overwrote meanwhile, and deletes what is left over. The manifest is read after the
 * listing: if it is still this site's, the listing holds nobody else's whole site.
 */
async function tidy(
  { bucket, target }: PublishOptions,
  { files, manifest, manifestBytes }: LocalSite,
  remote: Omit<Remote, 'objects'>,
  run: Run,
): Promise<void> {
  const objects = await bucket.list();
  const stored = await bucket.read(manifestPath);
  if (stored?.body.equals(manifestBytes) !== true) throw overtaken(target);
  const isEtagMd5 = stored.etag === hash('md5', manifestBytes);
  const known = { ...remote.files, ...manifest.files };
  const rest = planPublish(files, { objects, files: known, isSameGenerator: true, isEtagMd5 });
  if (isEtagMd5) for (const step of rest.uploads) await run.upload(step);
  await run.remove(rest.strays, remote.files);
}

function overtaken(target: string): ProblemError {
  return new ProblemError([{ code: 'publisher-overtaken', place: null, target }]);
}

interface LocalSite {
  readonly manifest: Manifest;
  readonly manifestBytes: Buffer;
  readonly files: ReadonlyMap<string, LocalFile>;
}

/** Reads the whole site to publish. Nothing is sent of a site that differs from its manifest. */
async function readLocal(site: Site): Promise<LocalSite> {
  // Read once: a build may replace the site meanwhile, and its files would not have these hashes.
  const manifestBytes = await site.read(manifestPath);
  const manifest = await readManifest({ ...site, read: async () => manifestBytes });
  if (manifest === null || manifestBytes === null)
    throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  const files = new Map<string, LocalFile>();
  for (const [path, { sha256 }] of Object.entries(manifest.files)) {
    files.set(path, { sha256, md5: hash('md5', await readFile(site, path, manifest)) });
  }
  return { manifest, manifestBytes, files };
}

async function readFile(site: Site, path: string, { files }: Manifest): Promise<Buffer> {
  const bytes = await site.read(path);
  if (bytes !== null && hash('sha256', bytes) === files[path]?.sha256) return bytes;
  throw unreadable(`${site.name}/${path}`, bytes === null ? 'it is missing' : 'it is not the file in files.json');
}

function remoteOf(found: StoredFile | null, { generator }: Manifest, target: string): Omit<Remote, 'objects'> {
  if (found === null) return { files: null, isSameGenerator: true, isEtagMd5: false };
  const manifest = parseManifest(found.body.toString());
  if (manifest === null) {
    const reason = 'it is not the manifest of a site that almanac built; choose another prefix';
    throw unreadable(`${target}/${manifestPath}`, reason);
  }
  const isSameGenerator = manifest.generator === generator;
  return { files: manifest.files, isSameGenerator, isEtagMd5: found.etag === hash('md5', found.body) };
}

/** Carries out the steps of a publication and records them. A dry run only records them. */
class Run {
  readonly #options: PublishOptions;
  readonly #local: LocalSite;
  readonly #expected: number;
  readonly #uploaded: string[] = [];
  readonly #deleted: string[] = [];
  #bytes = 0;

  constructor(options: PublishOptions, local: LocalSite, expected: number) {
    this.#options = options;
    this.#local = local;
    this.#expected = expected;
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
    const isStored = dryRun || (await bucket.put(manifestPath, bytes, headersOf(manifestPath), condition));
    // If the answer to a successful write got lost, the second try finds its condition broken by the first.
    const isOurs = isStored || (await bucket.read(manifestPath))?.body.equals(bytes) === true;
    if (!isOurs) throw overtaken(target);
    this.#record(manifestPath, bytes);
  }

  async remove(paths: readonly string[], known: Manifest['files'] | null): Promise<void> {
    const { bucket, dryRun } = this.#options;
    await inParallel(paths, concurrency, async (path) => {
      if (!Object.hasOwn(known ?? {}, path) && !(await bucket.isOurs(path))) return;
      if (!dryRun) await bucket.remove(path);
      this.#deleted.push(path);
    });
  }

  report(): PublishReport {
    const uploaded = new Set(this.#uploaded);
    const unchanged = [...this.#local.files.keys()].filter((path) => !uploaded.has(path)).length;
    return { uploaded: this.#uploaded, deleted: this.#deleted, unchanged, bytes: this.#bytes };
  }

  #record(path: string, bytes: Buffer): void {
    this.#uploaded.push(path);
    this.#bytes += bytes.length;
    this.#options.onStep?.(this.#uploaded.length, Math.max(this.#expected, this.#uploaded.length));
  }
}
