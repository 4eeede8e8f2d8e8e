/** A file of the site as data: its path relative to `{base_url}` and its text. */
export interface SiteFile {
  readonly path: string;
  readonly text: string;
}
