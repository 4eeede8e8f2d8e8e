/** A file of the site as a value. */
export interface SiteFile {
  /** Relative to `{base_url}`. */
  readonly path: string;
  /** What it holds, or a function that makes it when the file is written or asked for. */
  readonly content: Content | (() => Content | Parts);
  /** Whether it exists only to be a range of other files, and is no part of the site. */
  readonly isPart?: boolean;
  /** The permissions of a file of the owner. Default: those of new files. */
  readonly mode?: number;
}

/** A text, its parts in order, or the bytes of an image. */
export type Content = string | readonly string[] | Uint8Array;

/** The parts of a file that may be too large to be in memory, in order. */
export type Parts = Generator<Content | FileRange>;

/** A range of bytes of a file that the new site already has. */
export interface FileRange {
  readonly file: string;
  /** The number of bytes at its start and at its end that are left out. */
  readonly skip: number;
  readonly leave: number;
  /** Changes the text, which then has to be in memory. */
  readonly map?: ((text: string) => string) | undefined;
}

/** Where the files of a site go. Each path is added once. */
export interface SiteTarget {
  readonly add: (file: SiteFile) => void;
  readonly has: (path: string) => boolean;
  /** The paths of the files so far. */
  readonly paths: () => Iterable<string>;
}

export interface SiteSize {
  readonly files: number;
  readonly bytes: number;
  /** Bytes of the largest file. */
  readonly largest: number;
}

/** Whether a part of a file is copied from another file. */
export function isRange(part: Content | FileRange): part is FileRange {
  return typeof part === 'object' && 'file' in part;
}

/** Whether the content is in memory, and not in parts that are made one by one. */
export function isWhole(content: Content | Parts): content is Content {
  return typeof content === 'string' || content instanceof Uint8Array || Array.isArray(content);
}
