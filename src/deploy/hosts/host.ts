/** What the interface asks of a host, in groups of rows of the conformance table; in words for the table in README.md. */
export const abilities = {
  paths: 'path form',
  base: 'base URL',
  spellings: '`events`, `events/`',
  filters: 'query filters',
  empties: 'empty parameters',
  repeats: '400 for repeated parameters',
  encoding: 'encoded queries',
  limit: '`limit`',
  upcoming: 'dropping what is over',
  problems: 'problem documents',
  methods: 'methods',
  accept: '`Accept`',
  caching: 'caching',
  etags: 'several ETags at once',
  cors: 'CORS',
} as const;
export type Ability = keyof typeof abilities;

/** What a host publishes as the most it takes; null where it names no such limit. */
interface Limits {
  readonly files: number | null;
  readonly bytes: number | null;
  readonly fileBytes: number | null;
  /** Where the host says so. */
  readonly source: string;
}

/** Where the site is, as what a host needs is written. */
export interface SiteAt {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The path of the base URL, such as `/almanac`; empty at the root of a host. */
  readonly mount: string;
  /** The folder of the site, absolute. */
  readonly site: string;
  /** The same folder, relative to where the files are written, with forward slashes. */
  readonly relativeSite: string;
}

/** A host that a site can be served from. */
export interface Host {
  readonly name: string;
  /** By what it is asked for as well. */
  readonly alias?: string;
  readonly title: string;
  /** What it cannot do, however it is set up; the conformance table holds it to the rest. */
  readonly lacks: readonly Ability[];
  /** What no engine here could show: it may work. */
  readonly untested: readonly Ability[];
  /** The engine that the conformance table runs for it. */
  readonly testedWith: string;
  readonly limits: Limits | null;
  /** What to do with the files, a line each. */
  readonly steps: readonly string[];
  readonly files: () => Promise<HostFiles>;
}

/**
 * The files that a host needs, by their path in the folder that is written; the text of each. Throws the problem
 * `site-path-refused` where they cannot name the folder of the site.
 */
export type HostFiles = (site: SiteAt) => Readonly<Record<string, string>>;

/** What hosts lack that serve files and can do nothing with a query. */
export const filesAlone: readonly Ability[] = [
  'filters',
  'empties',
  'repeats',
  'encoding',
  'limit',
  'upcoming',
  'problems',
  'methods',
  'accept',
];
