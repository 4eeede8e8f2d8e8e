/** A file of the site as a value. `path` is relative to `{base_url}`. */
export interface SiteFile {
  readonly path: string;
  readonly content: Content;
}

/**
 * The next part of some files that are too large to be in memory. The first part of a file creates
 * it.
 */
export interface FileChunk {
  readonly paths: readonly string[];
  readonly content: Content | FileRange;
  /** Whether it is the last part of these files. */
  readonly isLast?: boolean;
}

export interface SiteSize {
  readonly files: number;
  readonly bytes: number;
  /** Bytes of the largest file. */
  readonly largest: number;
}

/** A text, its parts in order, or the bytes of an image. */
export type Content = string | readonly string[] | Uint8Array;

/** A range of bytes of a file that the new site already has. */
export interface FileRange {
  readonly file: string;
  readonly start: number;
  /** The offset after the last byte. */
  readonly end: number;
  /** Changes the text, which then has to be in memory. */
  readonly map?: ((text: string) => string) | undefined;
}
