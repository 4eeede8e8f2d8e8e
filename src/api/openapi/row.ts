import type { FormatName } from '../formats.ts';
import type { SchemaName } from '../schemas.ts';
import type { ResponseName } from './responses.ts';
import type { Tag } from './text.ts';

/** A path of the interface and its response. */
export interface Row {
  readonly path: string;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly string[];
  /** Default: JSON. */
  readonly mediaType?: string;
  /** The schema of the response. Null if there is none. */
  readonly schema: SchemaName | null;
  /** The error responses of a path that takes a query. Default: only 404. */
  readonly refusals?: readonly ResponseName[];
  /** The format without which a site does not have the file. Default: every site has it. */
  readonly format?: FormatName;
  /** Whether it is one of the files of subjects, which exist with `"pages": "all"` in service.json. */
  readonly isOfSubject?: boolean;
}
