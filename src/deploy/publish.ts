import { hash } from 'node:crypto';
import type { Manifest } from '../api/documents.ts';
import { manifestPath } from '../api/paths.ts';
import { inParallel } from '../system/parallel.ts';
import { ProblemError } from '../problem/problem.ts';
import { parseManifest } from '../api/manifest.ts';
import { readManifest, unreadable, type Site } from './site.ts';
import type { Bucket, Condition } from './s3.ts';
import { headersOf } from './headers.ts';
import { planPublish, type LocalFile, type PublishPlan, type Remote } from './publish-plan.ts';

export interface PublishOptions {
  readonly site: Site;
  readonly bucket: Bucket;
  /** Where the bucket is, for people. */
  readonly target: string;
  readonly dryRun: boolean;
  readonly onStep?: (done: number, of: number) => void;
}

/** What was done or, in a dry run, would be; paths in the order in which it happened. */
export interface PublishReport {
  readonly uploaded: readonly string[];
  readonly deleted: readonly string[];
  readonly unchanged: number;
  readonly bytes: number;
}

/**
 * Makes a bucket hold exactly the site. Documents come first, then the lists that lead to them, then the manifest,
 * then deletions: whoever asks meanwhile gets an answer, and a run that was cut off is finished by the next. The
 * manifest is replaced only while it is the one that was found, and nothing is mended or deleted once it is another's,
 * so that of two publishers one stops, with the problem `publisher-overtaken`.
 */
export async function publishSite(options: PublishOptions): Promise<PublishReport> {
  const { site, bucket } = options;
  const local = await readLocal(site);
  const found = await bucket.read(manifestPath);
  const remote = remoteOf(found, local.manifest, options.target);
  const plan = planPublish(local.files, { ...remote, objects: await bucket.list() });
  const run = new Run(options, local.manifest);
  run.expect(plan);
  for (const step of plan.uploads) await run.upload(step);
  const isNew = found === null || !found.body.equals(local.inventoryBytes);
  if (isNew) await run.uploadInventory(local.inventoryBytes, { etag: found?.etag ?? null });
  if (options.dryRun) await run.remove(plan.strays, remote.files);
  else await tidy(options, local, remote, run);
  return run.report();
}

/**
 * Puts right what another publisher or one that was cut off wrote meanwhile, and takes away what has to go. The
 * manifest is read after the listing: as long as it is this site's, nobody else's whole site is in that listing.
 */
async function tidy(
  { bucket, target }: PublishOptions,
  { files, manifest, inventoryBytes }: Local,
  remote: Omit<Remote, 'objects'>,
  run: Run,
): Promise<void> {
  const objects = await bucket.list();
  const stored = await bucket.read(manifestPath);
  if (stored?.body.equals(inventoryBytes) !== true) throw overtaken(target);
  const isEtagMd5 = stored.etag === md5(inventoryBytes);
  const known = { ...remote.files, ...manifest.files };
  const rest = planPublish(files, { objects, files: known, isSameGenerator: true, isEtagMd5 });
  if (isEtagMd5) for (const step of rest.uploads) await run.upload(step);
  await run.remove(rest.strays, remote.files);
}

function overtaken(target: string): ProblemError {
  return new ProblemError([{ code: 'publisher-overtaken', place: null, target }]);
}

interface Local {
  readonly manifest: Manifest;
  readonly inventoryBytes: Buffer;
  readonly files: ReadonlyMap<string, LocalFile>;
}

/** The site to publish, read whole: nothing is sent of one that is not what its manifest says. */
async function readLocal(site: Site): Promise<Local> {
  // Read once: a build may put another site in the place of this one, and then its files do not fit these hashes.
  const inventoryBytes = await site.read(manifestPath);
  const manifest = await readManifest({ ...site, read: async () => inventoryBytes });
  if (manifest === null || inventoryBytes === null)
    throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  const files = new Map<string, LocalFile>();
  for (const path of Object.keys(manifest.files)) {
    const bytes = await readFile(site, path, manifest);
    files.set(path, { sha256: manifest.files[path]?.sha256 ?? '', md5: md5(bytes) });
  }
  return { manifest, inventoryBytes, files };
}

async function readFile(site: Site, path: string, { files }: Manifest): Promise<Buffer> {
  const bytes = await site.read(path);
  if (bytes !== null && hash('sha256', bytes) === files[path]?.sha256) return bytes;
  throw unreadable(`${site.name}/${path}`, bytes === null ? 'it is not there' : 'it is not the file in files.json');
}

function md5(bytes: Buffer): string {
  return hash('md5', bytes);
}

function remoteOf(
  found: Awaited<ReturnType<Bucket['read']>>,
  { generator }: Manifest,
  target: string,
): Omit<Remote, 'objects'> {
  if (found === null) return { files: null, isSameGenerator: true, isEtagMd5: false };
  const manifest = parseManifest(found.body.toString());
  if (manifest === null) {
    const reason = 'it is no manifest of a site that almanac built; choose another prefix';
    throw unreadable(`${target}/${manifestPath}`, reason);
  }
  const isSameGenerator = manifest.generator === generator;
  return { files: manifest.files, isSameGenerator, isEtagMd5: found.etag === md5(found.body) };
}

/** How many requests are under way at a time. */
const lanes = 16;

/** Carries out a plan, or only notes it in a dry run. */
class Run {
  readonly #options: PublishOptions;
  readonly #manifest: Manifest;
  readonly #uploaded: string[] = [];
  readonly #deleted: string[] = [];
  #bytes = 0;
  #expected = 0;

  constructor(options: PublishOptions, manifest: Manifest) {
    this.#options = options;
    this.#manifest = manifest;
  }

  expect({ uploads }: PublishPlan): void {
    this.#expected = uploads.flat().length + 1;
  }

  async upload(paths: readonly string[]): Promise<void> {
    const { site, bucket, dryRun } = this.#options;
    await inParallel(paths, lanes, async (path) => {
      const bytes = await readFile(site, path, this.#manifest);
      if (!dryRun) await bucket.put(path, bytes, headersOf(path));
      this.#note(path, bytes);
    });
  }

  async uploadInventory(bytes: Buffer, condition: Condition): Promise<void> {
    const { bucket, dryRun, target } = this.#options;
    const isStored = dryRun || (await bucket.put(manifestPath, bytes, headersOf(manifestPath), condition));
    // An answer that got lost is asked for again, and then the condition fails by our own doing.
    const isOurs = isStored || (await bucket.read(manifestPath))?.body.equals(bytes) === true;
    if (!isOurs) throw overtaken(target);
    this.#note(manifestPath, bytes);
  }

  async remove(paths: readonly string[], known: Manifest['files'] | null): Promise<void> {
    const { bucket, dryRun } = this.#options;
    await inParallel(paths, lanes, async (path) => {
      if (!Object.hasOwn(known ?? {}, path) && !(await bucket.isOurs(path))) return;
      if (!dryRun) await bucket.remove(path);
      this.#deleted.push(path);
    });
  }

  report(): PublishReport {
    const [uploaded, deleted] = [this.#uploaded, this.#deleted];
    const own = new Set(uploaded);
    const unchanged = Object.keys(this.#manifest.files).filter((path) => !own.has(path)).length;
    return { uploaded, deleted, unchanged, bytes: this.#bytes };
  }

  #note(path: string, bytes: Buffer): void {
    this.#uploaded.push(path);
    this.#bytes += bytes.length;
    this.#options.onStep?.(this.#uploaded.length, Math.max(this.#expected, this.#uploaded.length));
  }
}
