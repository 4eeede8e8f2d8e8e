/** A file of the site as data: its path relative to `{base_url}` and what it holds. */
export interface SiteFile {
  readonly path: string;
  readonly content: Content;
}

/** A text, or the parts of one in their order; bytes are UTF-8 that several files share. */
export type Content = string | readonly (string | Uint8Array)[];
