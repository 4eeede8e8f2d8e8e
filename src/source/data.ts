import { createHash, hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Collection } from '../catalogue/collection.ts';
import {
  companions,
  type Category,
  type Companion,
  type Extra,
  type FormerIds,
  type FormerSubject,
  type Genre,
  type GenreContent,
  type Service,
} from '../catalogue/model.ts';
import { compareProblems, type DisplayPath, type Problem } from '../problem/problem.ts';
import { readCollections } from './collections.ts';
import { listData, metadataFiles, type CategoryFolder, type GenreFolder } from './folder.ts';
import { claimsIn, findFormerIds, repeatedClaims, type Claim, type Claims } from './former.ts';
import { joinExtra } from '../readers/schema/extra.ts';
import { readGenre } from './genre.ts';
import { readSource } from './validate.ts';
import { repositoryOf } from './local.ts';
import { findStale, healthOf, readRemotes, type Remotes } from './remote/cache.ts';
import { detailsOf, joinTags } from './details.ts';
import { day } from '../catalogue/time/time.ts';
import { isRemoteFile } from '../readers/schema/file-kinds.ts';
import { locationOf } from './subject.ts';
import { listTree } from '../system/files.ts';
import type { SourceFolder } from './text.ts';

/**
 * An open data folder. Its names and metadata are in memory, and its genres are read one by one.
 */
export interface DataFolder {
  readonly folder: string;
  readonly service: Service;
  /** The base URL in service.json. Null if it has none, undefined if service.json can't be used. */
  readonly baseUrl: string | null | undefined;
  /** Ordered by id, like the genres. */
  readonly categories: readonly Category[];
  readonly genres: readonly DataGenre[];
  readonly former: FormerIds;
  /** Ordered by id. */
  readonly collections: readonly Collection[];
  /**
   * The start of the last synchronisation of the remote sources, as ISO 8601 in UTC. Null if there
   * are none, or if they were never synchronised.
   */
  readonly lastSync: string | null;
  readonly readGenre: (genre: DataGenre) => Promise<GenreContent>;
  /** Reads a genre without reporting what is found, so that the reading can be kept. */
  readonly parseGenre: (genre: DataGenre) => Promise<GenreReading>;
  /** Reports what was found in a genre when it was read. */
  readonly report: (genre: DataGenre, findings: GenreFindings) => void;
  /**
   * Returns a text that changes with everything that the reading of a genre depends on, but for the
   * time and other genres.
   */
  readonly keyOf: (genre: DataGenre) => string;
  /**
   * Returns the former ids of all subjects, as `{genre}/{subject}`. Reads every JSON file when it
   * is first called.
   */
  readonly formerSubjects: () => ReadonlySet<string>;
  /** Returns the remote sources that failed, or whose copy is missing or older than two weeks. */
  readonly findStale: () => readonly Problem[];
  readonly sources: ReturnType<typeof healthOf>;
  /** The files and folders outside the data folder that are read, as absolute paths. */
  readonly localFiles: readonly string[];
  readonly hasProblems: () => boolean;
  readonly found: () => Findings;
}

/** The content of a data folder. */
export interface Findings {
  /** By file, line and column, like the warnings. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** A genre as its files say it, and what was found in them. */
interface GenreReading {
  readonly content: GenreContent;
  readonly findings: GenreFindings;
}

/** What the reading of a genre says about it besides its events. */
export interface GenreFindings extends Findings, Pick<GenreContent, 'members' | 'former'> {
  /** Whether it was compared with the files of other genres. */
  readonly dependsOnOthers: boolean;
}

/** A genre of a data folder, and its files. */
export interface DataGenre {
  readonly genre: Genre;
  readonly category: Category;
  readonly files: GenreFolder;
}

export interface ReadOptions {
  readonly data: string;
  readonly displayPath: DisplayPath;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

const defaultPastDays = 180;

/** Opens a data folder. Problems are collected, not thrown. */
export function openData({ data, displayPath, now }: ReadOptions): DataFolder {
  const listing = listData(data, displayPath);
  const problems = [...listing.problems];
  const warnings: Problem[] = [];
  const folder: SourceFolder = { data, displayPath, report: (problem) => problems.push(problem) };
  const service =
    listing.service === 'present' ? readSource(folder, metadataFiles.service, 'service') : null;
  const chosen = (service?.formats ?? companions) as readonly Companion[];
  // Feeds need the log of changes, which needs events.ndjson.
  const formats = companions.filter(
    (one) => chosen.includes(one) && (one !== 'feed' || chosen.includes('ndjson')),
  );
  // Events that are over are kept only if the site has the file from which the next build reads
  // them.
  const pastDays = formats.includes('ndjson') ? (service?.past ?? defaultPastDays) : 0;
  const pastSince = now - pastDays * day;
  const defaultZone = declaredZone(listing.service, service) ?? null;
  const { categories, genres, claims } = readMetadata(
    { ...folder, defaultZone },
    listing.categories,
    service?.extra,
  );
  const former = findFormerIds(folder, claims);
  const claimed: FormerSubject[] = [];
  const ofGenres = genres.map(({ genre }) => genre);
  const { hasCollections } = listing;
  const { collections, checkSubjects } = readCollections(
    folder,
    categories,
    ofGenres,
    hasCollections,
  );
  for (const path of listing.repeatedRemotes) readSource(folder, path, 'source');
  const remotes = readRemotes(folder, listing.remotes);
  const { locals } = remotes;
  const source = { ...folder, now, pastSince, remotes: remotes.files, locals };
  const subjectsOf = async (id: string): Promise<ReadonlySet<string>> => {
    const found = genres.find(({ genre }) => genre.id === id);
    const silent = {
      ...source,
      report: () => {},
      warn: () => {},
      subjectsOf: async () => new Set<string>(),
    };
    const content = found && (await readGenre(silent, found.genre, found.files));
    return new Set(content?.members.map((subject) => subject.id));
  };
  const parseGenre = async ({ genre, files }: DataGenre): Promise<GenreReading> => {
    const [failures, doubts]: [Problem[], Problem[]] = [[], []];
    let dependsOnOthers = false;
    const content = await readGenre(
      {
        ...source,
        report: (problem) => failures.push(problem),
        warn: (problem) => doubts.push(problem),
        subjectsOf: (id) => {
          dependsOnOthers = true;
          return subjectsOf(id);
        },
      },
      genre,
      files,
    );
    const findings = {
      problems: failures,
      warnings: doubts,
      members: content.members,
      former: content.former,
      dependsOnOthers,
    };
    return { content, findings };
  };
  const report = ({ genre, files }: DataGenre, findings: GenreFindings): void => {
    problems.push(...findings.problems);
    warnings.push(...findings.warnings);
    claimed.push(...findings.former);
    // A table that was never fetched may have any subject.
    const isWhole = !files.files.some(isRemoteFile);
    if (isWhole) checkSubjects(genre.id, findings.members);
  };
  let formerSubjects: ReadonlySet<string> | undefined;
  return {
    folder: data,
    service: {
      name: service?.name ?? '',
      license: service?.license ?? '',
      authority: service?.authority ?? null,
      lang: service?.lang ?? 'en',
      zone: defaultZone,
      tagline: service?.tagline ?? null,
      accent: service?.accent ?? null,
      formats,
      pages: (service?.pages ?? 'all') as Service['pages'],
      hasCredit: service?.credit !== false,
      editUrl: service?.edit_url ?? null,
      labels: service?.labels ?? {},
      pastDays,
    },
    baseUrl: service === null ? undefined : (service.base_url ?? null),
    categories,
    collections,
    genres: genres.toSorted((a, b) => (a.genre.id < b.genre.id ? -1 : 1)),
    former,
    lastSync: remotes.files.size === 0 ? null : remotes.lastSync,
    readGenre: async (genre) => {
      const { content, findings } = await parseGenre(genre);
      report(genre, findings);
      return content;
    },
    parseGenre,
    report,
    keyOf: ({ genre, files }) => keyOfGenre(folder.data, files, remotes, { genre, pastDays }),
    formerSubjects: () =>
      (formerSubjects ??= new Set(genres.flatMap(({ files }) => claimsIn(folder, files)))),
    findStale: () => findStale(remotes, displayPath, now),
    sources: healthOf(remotes, displayPath),
    localFiles: Array.from(locals.values(), ({ file }) => join(repositoryOf(data), file)),
    hasProblems: () => problems.length > 0,
    found: () => ({
      problems: [...problems, ...repeatedClaims(claimed)].sort(compareProblems),
      warnings: warnings.toSorted(compareProblems),
    }),
  };
}

/** Returns a hash of all bytes of a genre's sources and of what it inherits. */
function keyOfGenre(
  data: string,
  { path, files }: GenreFolder,
  remotes: Pick<Remotes, 'files' | 'locals'>,
  inherited: object,
): string {
  const key = createHash('sha1').update(JSON.stringify(inherited));
  for (const name of files) {
    const remote = remotes.files.get(`${path}/${name}`);
    const local = remotes.locals.get(`${path}/${name}`);
    if (local !== undefined) key.update(hashOfFile(join(repositoryOf(data), local.file)));
    key.update(`\0${name}\0${JSON.stringify(remote ?? null)}\0`);
    for (const file of [`${path}/${name}`, remote?.copy ?? null])
      if (file !== null) key.update(hashOfFile(join(data, file)));
  }
  return key.digest('hex');
}

/** Returns the hash of a file, or of all files in a folder; empty if it can't be read. */
function hashOfFile(path: string): string {
  try {
    if (!statSync(path).isDirectory()) return hash('sha1', readFileSync(path));
    const inner = listTree(path).map(
      (entry) => `${entry.path} ${hashOfFile(join(path, entry.path))}`,
    );
    return inner.join('\n');
  } catch {
    return '';
  }
}

function readMetadata(
  folder: SourceFolder,
  categoryFolders: readonly CategoryFolder[],
  extra: Extra | null = null,
) {
  const [categories, genres]: [Category[], DataGenre[]] = [[], []];
  const claims = { categories: [] as Claim[], genres: [] as Claims['genres'][number][] };
  for (const { id, metadata, genres: genreFolders } of categoryFolders) {
    const path = `${id}/${metadataFiles.category}`;
    const named = metadata === 'present' ? readSource(folder, path, 'category') : null;
    const category = { id, name: named?.name ?? '' };
    categories.push(category);
    claims.categories.push({ id, formerly: named?.formerly ?? [], path });
    for (const files of genreFolders) {
      const genrePath = `${files.path}/${metadataFiles.genre}`;
      const genre = files.metadata === 'present' ? readSource(folder, genrePath, 'genre') : null;
      const declared = declaredZone(files.metadata, genre);
      const zone = declared === undefined ? (folder.defaultZone ?? null) : declared;
      const location = genre?.location === undefined ? null : locationOf(genre.location);
      const defaults = {
        zone,
        location,
        tags: joinTags(genre?.tags, []),
        details: detailsOf(genre ?? {}, null),
      };
      const own = { ...defaults, extra: joinExtra(genre?.extra, extra) };
      genres.push({
        genre: { id: files.id, name: genre?.name ?? '', category: id, ...own },
        category,
        files,
      });
      const formerly = genre?.formerly ?? [];
      claims.genres.push({
        id: files.id,
        category: id,
        formerly,
        path: genrePath,
        folder: files.path,
      });
    }
  }
  return { categories, genres, claims };
}

/**
 * Returns the zone that a metadata file declares. An invalid file has UTC, which causes no further
 * problems.
 */
function declaredZone(
  state: CategoryFolder['metadata'],
  source: { readonly zone?: string | null | undefined } | null,
) {
  return state === 'present' && source === null ? 'UTC' : source?.zone;
}
