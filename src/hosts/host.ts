/**
 * Groups of rows of the conformance table, in the words of the documentation. A host supports all
 * or none.
 */
export const abilities = {
  paths: 'path form',
  base: 'base URL',
  spellings: '`events`, `events/`',
  filters: 'query filters',
  empties: 'empty parameters',
  repeats: '400 for repeated parameters',
  encoding: 'encoded queries',
  limit: '`limit`',
  upcoming: 'leaving out expired events',
  problems: 'problem documents',
  methods: 'methods',
  accept: '`Accept`',
  pages: 'pages for people',
  caching: 'caching',
  etags: 'several ETags at once',
  cors: 'CORS',
} as const;
export type Ability = keyof typeof abilities;

/** A host that a site can be served from. */
export interface Host {
  readonly name: string;
  /** Another name that `almanac host` accepts. */
  readonly alias?: string;
  readonly title: string;
  /** Abilities that no configuration can give it. */
  readonly unsupported: readonly Ability[];
  /** Abilities that no engine on a developer's machine can test. */
  readonly untested?: readonly Ability[];
  /** The program that takes its place in the conformance tests. */
  readonly testedWith: string;
  readonly limits?: Limits | undefined;
  /** Returns the instructions for using the files, one line each. */
  readonly steps: (site: SiteLocation) => readonly string[];
  /**
   * Returns the text of each file that the host needs, by its path. Throws the problem
   * `site-path-refused`.
   */
  readonly files: (site: SiteLocation) => Readonly<Record<string, string>>;
}

interface Limits {
  readonly files?: number;
  readonly bytes?: number;
  readonly fileBytes?: number;
  /** The page that documents them. */
  readonly source: string;
}

/** The location of a site, in the forms that configurations need. */
export interface SiteLocation {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The path of the base URL, such as `/almanac`; empty at the root of a host. */
  readonly mount: string;
  /** The absolute path of the site's folder. */
  readonly site: string;
  /** The path of the same folder relative to the files of the host, with forward slashes. */
  readonly relativeSite: string;
  /** The name of the catalogue in lower-case letters, digits and hyphens, at most 63 characters. */
  readonly name: string;
}

/** The declaration of hosts without any code: they serve files and ignore queries. */
export const filesAlone = {
  unsupported: [
    'filters',
    'empties',
    'repeats',
    'encoding',
    'limit',
    'upcoming',
    'problems',
    'methods',
    'accept',
  ],
  untested: ['base', 'spellings', 'pages', 'caching', 'etags', 'cors'],
  testedWith: 'a plain file server, not at this host',
} as const satisfies Partial<Host>;
