/** A file of the site as a value. `path` is relative to `{base_url}`. */
export interface SiteFile {
  readonly path: string;
  readonly content: Content;
}

/** A text at the end of some files that are too large to be values. The first part of a file creates it. */
export interface FilePart {
  readonly paths: readonly string[];
  readonly content: Content | FileRange;
  /** Whether the files are complete with it. */
  readonly isLast?: boolean;
}

/** A text, its parts in order, or the bytes of an image. */
export type Content = string | readonly string[] | Uint8Array;

/** Some bytes of a file that the site has already. */
export interface FileRange {
  readonly file: string;
  readonly start: number;
  /** The offset after the last byte. */
  readonly end: number;
}
