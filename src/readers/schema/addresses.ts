import rows from './addresses.json' with { type: 'json' };

/**
 * Addresses of web pages that people copy from a browser instead of the address of the calendar or
 * table.
 */
interface PageAddress {
  readonly page: string;
  readonly pattern: RegExp;
  /** The address to use instead. There is none if the pattern did not find one of its parts. */
  readonly right?: string;
  /** The condition for the right address to work. */
  readonly needs?: string;
  /** How to find the right address, if it is not in `right`. */
  readonly advice?: string;
}

const pages: readonly PageAddress[] = rows.map((row) => ({
  ...row,
  pattern: new RegExp(row.pattern),
}));

/**
 * Returns the problem of the address of a page for people instead of a calendar or table, or null.
 */
export function findPageAddress(found: string) {
  // Google writes the id of a calendar in Base64.
  const address = found.replace(
    /\bcid=(\w{12,})=*(?=&|$)/,
    (_, id: string) => `cid=${encodeURIComponent(Buffer.from(id, 'base64').toString())}`,
  );
  for (const { page, pattern, right = '', ...rest } of pages) {
    const match = pattern.exec(address);
    if (match === null) continue;
    const isComplete =
      right !== '' && Object.values(match.groups ?? {}).every((part) => part !== undefined);
    const proposal = isComplete ? address.replace(pattern, right).replace(/&$/, '') : null;
    return {
      code: 'page-address',
      found,
      page,
      proposal,
      needs: null,
      advice: 'fix it',
      ...rest,
    } as const;
  }
  return null;
}
