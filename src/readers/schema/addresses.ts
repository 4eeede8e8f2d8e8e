import { withoutCredentials } from '../../catalogue/url.ts';
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
export function findPageAddress(link: string) {
  // Google writes the id of a calendar in Base64.
  const address = link.replace(
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
      found: link,
      page,
      proposal,
      needs: null,
      advice: 'fix it',
      ...rest,
    } as const;
  }
  return null;
}

/**
 * Returns the problem of an address that is a secret: the private address of a Google calendar, or
 * one with a token or password in its query. Whoever has it reads what is not public.
 */
export function findSecret(address: string) {
  const [, calendar] = googlePrivate.exec(address) ?? [];
  const key = queryKeysOf(address).find((name) => secretKey.test(name.replace(/\W+/g, '_')));
  if (calendar === undefined && key === undefined) return null;
  const masked = withoutCredentials(address).replace(privatePart, '/private-…');
  return {
    code: 'secret-address',
    address: key === undefined ? masked : masked.replace(query, '?…'),
    key: calendar === undefined ? (key ?? null) : null,
    proposal: calendar === undefined ? null : `${googleCalendars}/${calendar}/public/basic.ics`,
  } as const;
}

/** Returns the key of a query that may be a secret or a public identifier, or null. */
export function doubtfulKeyOf(address: string): string | null {
  return queryKeysOf(address).find((name) => doubtfulKey.test(name)) ?? null;
}

const googleCalendars = 'https://calendar.google.com/calendar/ical';
const googlePrivate =
  /^\s*[a-z]+:\/\/(?:[\w-]+\.)*google\.com\/calendar\/(?:[^?#]*\/)?(?:ical|feeds)\/([^/?#]+)\/private(?:-|%2d)/i;
const privatePart = /\/private(?:-|%2d)[^/?#]*/i;
const secretKey =
  /^(?:(?:access|api|auth|calendar|feed|ical|private|user)?_?token|auth|(?:\w+_)?secret|pass(?:word|wd|code)?|pwd|sig|(?:\w+_)?signature)_?$/i;
const doubtfulKey = /^(?:(?:access|api|auth|private)[_-]?)?key$/i;
const query = /\?[^#]*/;

function queryKeysOf(address: string): string[] {
  const text = query.exec(address)?.[0] ?? '';
  return [...new URLSearchParams(text.replaceAll(';', '&')).keys()];
}
