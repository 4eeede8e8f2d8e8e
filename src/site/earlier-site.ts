import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CategoriesDocument, GenresDocument, IndexDocument, Manifest } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { documentPath, indexPath, manifestPath, root } from '../api/paths.ts';
import type { State } from '../catalogue/state.ts';
import { parseJson } from '../catalogue/text.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { Damage } from './damage.ts';
import { isListOf, limitTo, readManifest, totalNames, type Overview, type PublishedSite } from './documents.ts';
import { readEvents } from './events.ts';
import { isAddress, unreadable, type Site } from './site.ts';

/** The site that a new one continues, read when it is needed. What is damaged in this foreign input is left out. */
export class ComparedSite {
  readonly name: string;
  readonly #site: Site;
  readonly #isRequired: boolean;
  #opened: Promise<EarlierSite | null> | undefined;

  /** @param isRequired whether it is a problem if there is no such site */
  constructor(site: Site, isRequired = false) {
    this.name = site.name;
    this.#site = site;
    this.#isRequired = isRequired;
  }

  /** Returns null if it is missing and not required. Throws `site-unreadable` and `previous-site-missing`. */
  async open(): Promise<EarlierSite | null> {
    return (this.#opened ??= this.#open());
  }

  /** Returns what was damaged so far, by the paths of the files. */
  async damage(): Promise<ReadonlyMap<string, string>> {
    return (await this.open())?.damage.reasons ?? new Map();
  }

  async #open(): Promise<EarlierSite | null> {
    const pauses = this.#isRequired && isAddress(this.name) ? [200, 1000] : [];
    for (const pause of [0, ...pauses]) {
      await sleep(pause);
      const earlier = await EarlierSite.open(this.#site, this.#isRequired);
      if (earlier !== null) return earlier;
    }
    if (!this.#isRequired) return null;
    throw new ProblemError([{ code: 'previous-site-missing', place: null, site: this.name }]);
  }
}

/** A site that a new one is compared with, as far as it is whole. */
export class EarlierSite implements PublishedSite {
  readonly site: Site;
  readonly files: Manifest['files'];
  readonly damage: Damage;
  /** A hash of the files in its manifest, which shows whether parts were compared with the same site. */
  readonly identity: string;
  overview: Overview = { totals: noTotals, categories: [], genres: [] };
  /** Whether it has files with every event, and not only lists of at most 200. */
  hasEveryEvent = false;

  private constructor(site: Site, manifest: Manifest | null, damage: Damage) {
    this.files = manifest?.files ?? {};
    this.site = manifest === null ? limitBlocks(site) : limitTo(manifest, site);
    this.damage = damage;
    this.identity = hash('sha256', JSON.stringify(this.files));
  }

  /** Returns null without a manifest. Throws `site-unreadable` if a required site has nothing to compare. */
  static async open(site: Site, isRequired: boolean): Promise<EarlierSite | null> {
    const damage = new Damage();
    const manifest = await damage.read(manifestPath, async () => readManifest(site));
    if (manifest === null) return null;
    const earlier = new EarlierSite(site, manifest ?? null, damage);
    earlier.overview = await earlier.#readOverview(isRequired);
    earlier.hasEveryEvent = await earlier.#hasEveryEvent(manifest === undefined);
    return earlier;
  }

  /** Reads a JSON document, or returns null. `isWhole`: its content is the one that the manifest lists. */
  async document<T>(
    path: string,
    isValid: (document: Partial<T>) => boolean,
  ): Promise<{ readonly document: T; readonly isWhole: boolean } | null> {
    const listed = Object.hasOwn(this.files, path) ? this.files[path] : undefined;
    const bytes = await this.damage.read(path, async () => this.site.read(path));
    if (bytes === null && listed !== undefined) this.damage.note(path, missing);
    if (bytes == null) return null;
    const isWhole = listed === undefined || hash('sha256', bytes) === listed.sha256;
    if (!isWhole) this.damage.note(path, changed);
    const document = parseJson(bytes.toString()) as Partial<T> | null | undefined;
    if (typeof document === 'object' && document !== null && isValid(document))
      return { document: document as T, isWhole };
    this.damage.note(path, 'it is not the document of this name');
    return null;
  }

  /** Whether the manifest lists a file. */
  lists(path: string): boolean {
    return Object.hasOwn(this.files, path);
  }

  /** Whether the site has a genre. */
  hasGenre(genre: string): boolean {
    return this.overview.genres.some(({ id }) => id === genre);
  }

  /** Reads a file with an event on each line, which must exist if `isExpected`. `isWhole`: nothing is missing. */
  async events(path: string, isExpected: boolean) {
    let isWhole = true;
    const onDamage = (reason: string): void => {
      isWhole = false;
      this.damage.note(path, reason);
    };
    const events = await this.damage.read(path, async () => readEvents(this.site, path, onDamage));
    if (events?.isMissing && (isExpected || this.lists(path))) onDamage(missing);
    return {
      texts: events?.texts ?? new Map<string, string>(),
      stateOf: events?.stateOf ?? new Map<string, State>(),
      isWhole: () => events !== undefined && isWhole,
      onDamage,
    };
  }

  async #readOverview(isRequired: boolean): Promise<Overview> {
    const [index, categories, genres] = [
      await this.document<IndexDocument>(indexPath, hasTotals),
      await this.document<CategoriesDocument>(documentPath({ operation: 'categories' }), (one) =>
        isListOf(one, 'categories'),
      ),
      await this.document<GenresDocument>(documentPath({ operation: 'genres' }), hasCounts),
    ];
    if (isRequired && index === null && genres === null)
      throw unreadable(`${this.site.name}/${indexPath}`, 'neither it nor the list of genres can be read');
    const lists = {
      categories: categories?.document.categories ?? [],
      genres: genres?.document.genres ?? this.#listedGenres(),
    };
    const areWhole = categories !== null && genres !== null && categories.isWhole && genres.isWhole;
    const isTrusted = index?.isWhole === true || !areWhole;
    const totals = index?.document.catalogue;
    return { ...lists, totals: totals && (isTrusted || genres === null) ? totals : totalsOf(lists, totals) };
  }

  /** Returns the genres that the manifest names, if their list cannot be read. */
  #listedGenres(): GenresDocument['genres'] {
    const pattern = new RegExp(`^${root}/genre/([a-z0-9-]+)/events\\.json$`);
    const ids = Object.keys(this.files).flatMap((path) => pattern.exec(path)?.[1] ?? []);
    return ids.map((id) => ({ id, name: id, category: '', subjects: 0, upcoming: 0 }));
  }

  async #hasEveryEvent(isManifestDamaged: boolean): Promise<boolean> {
    const path = formatPath(formats.ndjson, {});
    const isListed = Object.hasOwn(this.files, path);
    if (!isListed && !isManifestDamaged) return false;
    const isThere = (await this.damage.read(path, async () => this.site.has(path))) ?? false;
    if (isListed && !isThere) this.damage.note(path, missing);
    return isListed || isThere;
  }
}

/** Limits files to the size of a document, if no manifest says how large they are. */
function limitBlocks(site: Site): Site {
  const blocks: Site['blocks'] = async (path) => {
    const bytes = await site.read(path);
    return bytes && [bytes];
  };
  return { ...site, blocks };
}

const missing = 'it is missing, although the site must have it';
const changed = 'its content is not the one that files.json lists';

const noTotals: Overview['totals'] = { genres: 0, subjects: 0, upcoming: 0, categories: 0, last_sync: '' };

function hasTotals({ catalogue }: Partial<IndexDocument>): boolean {
  const hasTime = typeof catalogue?.last_sync === 'string' && !Number.isNaN(Date.parse(catalogue.last_sync));
  return hasTime && totalNames.every((name) => Number.isInteger(catalogue?.[name]));
}

function hasCounts(document: Partial<GenresDocument>): boolean {
  const isCounted = ({ subjects, upcoming }: GenresDocument['genres'][number]): boolean =>
    Number.isInteger(subjects) && Number.isInteger(upcoming);
  if (!isListOf(document, 'genres')) return false;
  const { genres } = document as GenresDocument;
  // A genre that is named several times would be read as often.
  return genres.every(isCounted) && new Set(genres.map(({ id }) => id)).size === genres.length;
}

function totalsOf({ categories, genres }: Omit<Overview, 'totals'>, index: Overview['totals'] | undefined) {
  return {
    genres: genres.length,
    subjects: genres.reduce((sum, { subjects }) => sum + subjects, 0),
    upcoming: genres.reduce((sum, { upcoming }) => sum + upcoming, 0),
    categories: categories.length,
    last_sync: index?.last_sync ?? '',
  };
}

/** Returns a warning for each kind of file that is damaged, such as the events of genres. */
export function damageWarnings(site: string, reasons: ReadonlyMap<string, string>): Problem[] {
  const kinds = new Map<string, { path: string; reason: string; others: number }>();
  for (const [path, reason] of [...reasons].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const kind = path.slice(path.lastIndexOf('/') + 1);
    const { others, ...first } = kinds.get(kind) ?? { path: `${site}/${path}`, reason, others: -1 };
    kinds.set(kind, { ...first, others: others + 1 });
  }
  return [...kinds.values()].map((details) => ({ code: 'previous-site-damaged', place: null, ...details }));
}
