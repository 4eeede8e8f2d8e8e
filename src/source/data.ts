import { join } from 'node:path';
import type { Collection } from '../catalogue/collection.ts';
import type { FormerIds, FormerSubject, GenreContent } from '../catalogue/model.ts';
import { day } from '../catalogue/time/time.ts';
import { compareProblems, type DisplayPath, type Problem } from '../problem/problem.ts';
import { isRemoteFile } from '../readers/schema/file-kinds.ts';
import { readCollections } from './collections.ts';
import { listData } from './folder.ts';
import { claimsIn, findFormerIds, repeatedClaims } from './former.ts';
import type { GenreSource } from './genre-file.ts';
import { keyOfGenre } from './genre-key.ts';
import { readGenre } from './genre.ts';
import { repositoryOf } from './local.ts';
import { readMetadata, type DataGenre, type Metadata } from './metadata.ts';
import { findStale, healthOf, readRemotes, type Remotes } from './remote/cache.ts';
import type { SourceFolder } from './text.ts';
import { readSource } from './validate.ts';

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

export interface ReadOptions {
  readonly data: string;
  readonly displayPath: DisplayPath;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Opens a data folder. Problems are collected, not thrown. */
export function openData({ data, displayPath, now }: ReadOptions): DataFolder {
  const listing = listData(data, displayPath);
  const problems = [...listing.problems];
  const folder = {
    data,
    displayPath,
    report: (problem: Problem) => problems.push(problem),
  };
  const metadata = readMetadata(folder, listing);
  const { categories, genres, claims } = metadata;
  const former = findFormerIds(folder, claims);
  const allGenres = genres.map(({ genre }) => genre);
  const collections = readCollections(folder, categories, allGenres, listing.hasCollections);
  for (const path of listing.repeatedRemotes) readSource(folder, path, 'source');
  const remotes = readRemotes(folder, listing.remotes);
  return new DataFolder({
    folder,
    metadata,
    former,
    ...collections,
    remotes,
    now,
    problems,
  });
}

/** What is known of a data folder before its genres are read. */
interface Parts extends ReturnType<typeof readCollections> {
  readonly folder: SourceFolder;
  readonly metadata: Metadata;
  readonly former: FormerIds;
  readonly remotes: Remotes;
  readonly now: number;
  /** The reports of the folder are added to it. */
  readonly problems: Problem[];
}

/**
 * An open data folder. Its names and metadata are in memory, and its genres are read one by one.
 */
export class DataFolder {
  readonly folder: string;
  readonly service: Metadata['service'];
  readonly baseUrl: Metadata['baseUrl'];
  /** Ordered by id, like the genres. */
  readonly categories: Metadata['categories'];
  readonly genres: readonly DataGenre[];
  readonly former: FormerIds;
  /** Ordered by id. */
  readonly collections: readonly Collection[];
  /**
   * The start of the last synchronisation of the remote sources, as ISO 8601 in UTC. Null if there
   * are none, or if they were never synchronised.
   */
  readonly lastSync: string | null;
  readonly sources: ReturnType<typeof healthOf>;
  /** The files and folders outside the data folder that are read, as absolute paths. */
  readonly localFiles: readonly string[];
  readonly #parts: Parts;
  readonly #warnings: Problem[] = [];
  readonly #claimed: FormerSubject[] = [];
  #formerSubjects: ReadonlySet<string> | null = null;

  constructor(parts: Parts) {
    const { folder, metadata, remotes } = parts;
    this.#parts = parts;
    this.folder = folder.data;
    this.service = metadata.service;
    this.baseUrl = metadata.baseUrl;
    this.categories = metadata.categories;
    this.genres = metadata.genres.toSorted((a, b) => (a.genre.id < b.genre.id ? -1 : 1));
    this.former = parts.former;
    this.collections = parts.collections;
    this.lastSync = remotes.files.size === 0 ? null : remotes.lastSync;
    this.sources = healthOf(remotes, folder.displayPath);
    const repository = repositoryOf(folder.data);
    this.localFiles = Array.from(remotes.locals.values(), ({ file }) => join(repository, file));
  }

  /** Reads a genre and reports what is found in it. */
  async readGenre(genre: DataGenre): Promise<GenreContent> {
    const { content, findings } = await this.parseGenre(genre);
    this.report(genre, findings);
    return content;
  }

  /** Reads a genre without reporting what is found, so that the reading can be kept. */
  async parseGenre({ genre, files }: DataGenre): Promise<GenreReading> {
    const problems: Problem[] = [];
    const warnings: Problem[] = [];
    let dependsOnOthers = false;
    const source: GenreSource = {
      ...this.#silentSource(),
      report: (problem) => problems.push(problem),
      warn: (problem) => warnings.push(problem),
      subjectsOf: (id) => {
        dependsOnOthers = true;
        return this.#subjectsOf(id);
      },
    };
    const content = await readGenre(source, genre, files);
    const { members, former } = content;
    return {
      content,
      findings: { problems, warnings, members, former, dependsOnOthers },
    };
  }

  /** Reports what was found in a genre when it was read. */
  report({ genre, files }: DataGenre, findings: GenreFindings): void {
    const { problems, checkSubjects } = this.#parts;
    problems.push(...findings.problems);
    this.#warnings.push(...findings.warnings);
    this.#claimed.push(...findings.former);
    // A table that was never fetched may have any subject.
    const isWhole = !files.files.some(isRemoteFile);
    if (isWhole) checkSubjects(genre.id, findings.members);
  }

  /**
   * Returns a text that changes with everything that the reading of a genre depends on, but for the
   * time and other genres.
   */
  keyOf({ genre, files }: DataGenre): string {
    const { pastDays } = this.service;
    return keyOfGenre(this.folder, files, this.#parts.remotes, { genre, pastDays });
  }

  /**
   * Returns the former ids of all subjects, as `{genre}/{subject}`. Reads every JSON file when it
   * is first called.
   */
  formerSubjects(): ReadonlySet<string> {
    this.#formerSubjects ??= new Set(
      this.genres.flatMap(({ files }) => claimsIn(this.#parts.folder, files)),
    );
    return this.#formerSubjects;
  }

  /** Returns the remote sources that failed, or whose copy is missing or older than two weeks. */
  findStale(): readonly Problem[] {
    const { folder, remotes, now } = this.#parts;
    return findStale(remotes, folder.displayPath, now);
  }

  hasProblems(): boolean {
    return this.#parts.problems.length > 0;
  }

  /** Returns what was reported until now. */
  findings(): Findings {
    const problems = [...this.#parts.problems, ...repeatedClaims(this.#claimed)];
    return {
      problems: problems.sort(compareProblems),
      warnings: this.#warnings.toSorted(compareProblems),
    };
  }

  async #subjectsOf(id: string): Promise<ReadonlySet<string>> {
    const genre = this.genres.find((candidate) => candidate.genre.id === id);
    if (genre === undefined) return new Set();
    const content = await readGenre(this.#silentSource(), genre.genre, genre.files);
    return new Set(content.members.map((subject) => subject.id));
  }

  #silentSource(): GenreSource {
    const { folder, remotes, now } = this.#parts;
    return {
      ...folder,
      now,
      pastSince: now - this.service.pastDays * day,
      remotes: remotes.files,
      locals: remotes.locals,
      report: () => {},
      warn: () => {},
      subjectsOf: async () => new Set<string>(),
    };
  }
}
