/** A file of the site as a value. `path` is relative to `{base_url}`. */
export interface SiteFile {
  readonly path: string;
  readonly content: Content;
}

/** A text, or its parts in order. */
export type Content = string | readonly string[];
