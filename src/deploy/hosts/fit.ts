import type { Problem } from '../../problem/problem.ts';
import type { Host } from './host.ts';

/** How large a site is. */
export interface SiteSize {
  readonly files: number;
  readonly bytes: number;
  /** The bytes of its largest file. */
  readonly largest: number;
}

/** Why a site would not fit on a host: a problem for each limit of the host that it is over. */
export function refuseSize({ title, limits }: Host, { files, bytes, largest }: SiteSize): Problem[] {
  if (limits === null) return [];
  const measures = [
    { what: 'files', found: files, most: limits.files },
    { what: 'bytes', found: bytes, most: limits.bytes },
    { what: 'bytes in one file', found: largest, most: limits.fileBytes },
  ];
  return measures.flatMap(({ what, found, most }): Problem[] =>
    most === null || found <= most
      ? []
      : [{ code: 'site-too-large', place: null, host: title, what, found, most, source: limits.source }],
  );
}
