import { hash } from 'node:crypto';
import type { Inventory } from '../api/documents.ts';
import { inventoryPath } from '../api/paths.ts';
import { inParallel } from '../parallel.ts';
import { ProblemError } from '../problem.ts';
import { parseInventory } from '../site/inventory-text.ts';
import { readInventory, unreadable, type Site } from '../published/read-site.ts';
import type { Bucket, Condition } from './bucket.ts';
import { headersOf } from './headers.ts';
import { planPublish, type LocalFile, type PublishPlan, type Remote } from './plan-publish.ts';

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
 * Makes a bucket hold exactly the site. Documents come first, then the lists that lead to them, then the inventory,
 * then deletions: whoever asks meanwhile gets an answer, and a run that was cut off is finished by the next. The
 * inventory is replaced only while it is the one that was found, and nothing is mended or deleted once it is another's,
 * so that of two publishers one stops, with the problem `publisher-overtaken`.
 */
export async function publishSite(options: PublishOptions): Promise<PublishReport> {
  const { site, bucket } = options;
  const local = await readLocal(site);
  const found = await bucket.read(inventoryPath);
  const remote = remoteOf(found, local.inventory, options.target);
  const plan = planPublish(local.files, { ...remote, objects: await bucket.list() });
  const run = new Run(options, local.inventory);
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
 * inventory is read after the listing: as long as it is this site's, nobody else's whole site is in that listing.
 */
async function tidy(
  { bucket, target }: PublishOptions,
  { files, inventory, inventoryBytes }: Local,
  remote: Omit<Remote, 'objects'>,
  run: Run,
): Promise<void> {
  const objects = await bucket.list();
  const stored = await bucket.read(inventoryPath);
  if (stored?.body.equals(inventoryBytes) !== true) throw overtaken(target);
  const isEtagMd5 = stored.etag === md5(inventoryBytes);
  const known = { ...remote.files, ...inventory.files };
  const rest = planPublish(files, { objects, files: known, isSameGenerator: true, isEtagMd5 });
  if (isEtagMd5) for (const step of rest.uploads) await run.upload(step);
  await run.remove(rest.strays, remote.files);
}

function overtaken(target: string): ProblemError {
  return new ProblemError([{ code: 'publisher-overtaken', place: null, target }]);
}

interface Local {
  readonly inventory: Inventory;
  readonly inventoryBytes: Buffer;
  readonly files: ReadonlyMap<string, LocalFile>;
}

/** The site to publish, read whole: nothing is sent of one that is not what its inventory says. */
async function readLocal(site: Site): Promise<Local> {
  // Read once: a build may put another site in the place of this one, and then its files do not fit these hashes.
  const inventoryBytes = await site.read(inventoryPath);
  const inventory = await readInventory({ ...site, read: async () => inventoryBytes });
  if (inventory === null || inventoryBytes === null)
    throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  const files = new Map<string, LocalFile>();
  for (const path of Object.keys(inventory.files)) {
    const bytes = await readFile(site, path, inventory);
    files.set(path, { sha256: inventory.files[path]?.sha256 ?? '', md5: md5(bytes) });
  }
  return { inventory, inventoryBytes, files };
}

async function readFile(site: Site, path: string, { files }: Inventory): Promise<Buffer> {
  const bytes = await site.read(path);
  if (bytes !== null && hash('sha256', bytes) === files[path]?.sha256) return bytes;
  throw unreadable(`${site.name}/${path}`, bytes === null ? 'it is not there' : 'it is not the file in files.json');
}

function md5(bytes: Buffer): string {
  return hash('md5', bytes);
}

function remoteOf(
  found: Awaited<ReturnType<Bucket['read']>>,
  { generator }: Inventory,
  target: string,
): Omit<Remote, 'objects'> {
  if (found === null) return { files: null, isSameGenerator: true, isEtagMd5: false };
  const inventory = parseInventory(found.body.toString());
  if (inventory === null) {
    const reason = 'it is no inventory of a site that almanac built; choose another prefix';
    throw unreadable(`${target}/${inventoryPath}`, reason);
  }
  const isSameGenerator = inventory.generator === generator;
  return { files: inventory.files, isSameGenerator, isEtagMd5: found.etag === md5(found.body) };
}

/** How many requests are under way at a time. */
const lanes = 16;

/** Carries out a plan, or only notes it in a dry run. */
class Run {
  readonly #options: PublishOptions;
  readonly #inventory: Inventory;
  readonly #uploaded: string[] = [];
  readonly #deleted: string[] = [];
  #bytes = 0;
  #expected = 0;

  constructor(options: PublishOptions, inventory: Inventory) {
    this.#options = options;
    this.#inventory = inventory;
  }

  expect({ uploads }: PublishPlan): void {
    this.#expected = uploads.flat().length + 1;
  }

  async upload(paths: readonly string[]): Promise<void> {
    const { site, bucket, dryRun } = this.#options;
    await inParallel(paths, lanes, async (path) => {
      const bytes = await readFile(site, path, this.#inventory);
      if (!dryRun) await bucket.put(path, bytes, headersOf(path));
      this.#note(path, bytes);
    });
  }

  async uploadInventory(bytes: Buffer, condition: Condition): Promise<void> {
    const { bucket, dryRun, target } = this.#options;
    const isStored = dryRun || (await bucket.put(inventoryPath, bytes, headersOf(inventoryPath), condition));
    // An answer that got lost is asked for again, and then the condition fails by our own doing.
    const isOurs = isStored || (await bucket.read(inventoryPath))?.body.equals(bytes) === true;
    if (!isOurs) throw overtaken(target);
    this.#note(inventoryPath, bytes);
  }

  async remove(paths: readonly string[], known: Inventory['files'] | null): Promise<void> {
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
    const unchanged = Object.keys(this.#inventory.files).filter((path) => !own.has(path)).length;
    return { uploaded, deleted, unchanged, bytes: this.#bytes };
  }

  #note(path: string, bytes: Buffer): void {
    this.#uploaded.push(path);
    this.#bytes += bytes.length;
    this.#options.onStep?.(this.#uploaded.length, Math.max(this.#expected, this.#uploaded.length));
  }
}
